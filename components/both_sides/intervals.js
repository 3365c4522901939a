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
    const width = this.frame.clientWidth
    if (!width) return
    const room = (width - EDGE.left - EDGE.right) / groups.length, step = Math.min(26, room * 0.8 / names.length)
    Object.assign(this, { groups, words, step, count: names.length })
    this.middle = group => EDGE.left + (group + 0.5) * room
    this.y = value => EDGE.top + (1 - value / full) * (TALL - EDGE.top - EDGE.bottom)
    const size = { viewBox: `0 0 ${width} ${TALL}`, width, height: TALL, "aria-label": name }
    for (const [key, value] of Object.entries(size)) this.svg.setAttribute(key, value)
    const titles = groups.map(({ title }, g) => shape("text", { x: this.middle(g), y: TALL - 6, "text-anchor": "middle" }, title))
    const axis = ticks.filter(({ at }) => at <= full).flatMap(tick => this.tick(tick, width))
    this.svg.replaceChildren(...axis, ...titles, ...names.map((view, i) => this.series(view, i)))
  }

  tick({ at, shown }, width) {
    return [shape("path", { class: "grid", d: `M${EDGE.left} ${this.y(at)}H${width - EDGE.right}` }),
      shape("text", { x: EDGE.left - 6, y: this.y(at) + 4, "text-anchor": "end" }, shown)]
  }

  /** All scores of one view. */
  series({ name, ink }, i) {
    const x = group => this.middle(group) + (i - (this.count - 1) / 2) * this.step
    const line = this.groups.map(({ scores }, g) => `${g ? "L" : "M"}${x(g)} ${this.y(scores[i].mean)}`).join("")
    const found = shape("g", { class: "series" }, ...this.joined ? [shape("path", { class: "join", d: line })] : [])
    this.groups.forEach(({ title, scores }, g) => {
      const mark = this.mark(scores[i], x(g), i)
      mark.onpointerenter = () => {
        this.say(fill(this.words.at, { name, group: title, value: scores[i].shown }))
        found.classList.add("on")
      }
      mark.onpointerleave = () => {
        this.say("")
        found.classList.remove("on")
      }
      found.append(mark)
    })
    found.style.color = ink
    return found
  }

  /** A sign with its whisker, over a strip that is easier to point at. */
  mark({ mean, low, high }, x, i) {
    const strip = { x: x - this.step / 2, y: EDGE.top, width: this.step, height: TALL - EDGE.top - EDGE.bottom }
    return shape("g", {}, shape("path", { class: "whisker", d: `M${x} ${this.y(low)}V${this.y(high)}` }),
      signOf(i, x, this.y(mean)), shape("rect", { class: "catch", ...strip }))
  }
}
