// Means with whiskers in groups; each view has a colour and a sign of its own. `joined`: lines from group to group.

const TALL = 220, EDGE = { left: 48, right: 8, top: 10, bottom: 26 }

/** Circle, square, diamond, triangles to the right and to the left, triangle. */
function signOf(i, x, y) {
  const d = [
    `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
    `M${x - 3.6} ${y - 3.6}h7.2v7.2h-7.2z`,
    `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
    `M${x - 3.5} ${y - 4.6}l8 4.6l-8 4.6z`,
    `M${x + 3.5} ${y - 4.6}l-8 4.6l8 4.6z`,
    `M${x} ${y - 4.6}l4.6 8h-9.2z`,
  ][i % 6]
  return shape("path", { class: "sign", d, fill: "currentColor" })
}

class Intervals {
  constructor(say, joined = false) {
    Object.assign(this, { say, joined })
    this.svg = shape("svg", { role: "img" })
    this.frame = el("div", { className: "intervals" }, this.svg)
  }

  draw(groups, names, { full, ticks, name }, words) {
    const wide = this.frame.clientWidth
    if (!wide) return
    const room = (wide - EDGE.left - EDGE.right) / groups.length, step = Math.min(26, room * 0.8 / names.length)
    const y = value => EDGE.top + (1 - value / full) * (TALL - EDGE.top - EDGE.bottom)
    const x = (group, i) => EDGE.left + (group + 0.5) * room + (i - (names.length - 1) / 2) * step
    for (const [key, value] of [["viewBox", `0 0 ${wide} ${TALL}`], ["width", wide], ["height", TALL], ["aria-label", name]]) this.svg.setAttribute(key, value)
    const axis = ticks.filter(({ at }) => at <= full).flatMap(({ at, shown }) => [shape("path", { class: "grid", d: `M${EDGE.left} ${y(at)}H${wide - EDGE.right}` }),
      shape("text", { x: EDGE.left - 6, y: y(at) + 4, "text-anchor": "end" }, shown)])
    const titles = groups.map(({ title }, g) => shape("text", { x: EDGE.left + (g + 0.5) * room, y: TALL - 6, "text-anchor": "middle" }, title))
    const marks = names.map(({ name: view, ink }, i) => {
      const lines = groups.map(({ scores }, g) => ({ at: x(g, i), ...scores[i] }))
      const one = shape("g", { class: "series" }, ...this.joined ? [shape("path", { class: "join", d: lines.map(({ at, mean }, g) => `${g ? "L" : "M"}${at} ${y(mean)}`).join("") })] : [],
        ...lines.map(({ at, mean, low, high, shown }, g) => {
          const mark = shape("g", {}, shape("path", { class: "whisker", d: `M${at} ${y(low)}V${y(high)}` }), signOf(i, at, y(mean)), shape("rect", { class: "catch", x: at - step / 2, y: EDGE.top, width: step, height: TALL - EDGE.top - EDGE.bottom }))
          mark.onpointerenter = () => { this.say(fill(words.at, { name: view, group: groups[g].title, value: shown })); one.classList.add("on") }
          mark.onpointerleave = () => { this.say(""); one.classList.remove("on") }
          return mark
        }))
      one.style.color = ink
      return one
    })
    this.svg.replaceChildren(...axis, ...titles, ...marks)
  }
}
