// Lines over the layers. Each model has a colour and a sign of its own.

const TALL = 280, EDGE = { left: 44, right: 16, top: 26, bottom: 34 }

/** Circle, square, triangle, diamond: colour is not all that tells lines apart. */
function marker(i, x, y) {
  const d = [
    `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
    `M${x - 3.6} ${y - 3.6}h7.2v7.2h-7.2z`,
    `M${x} ${y - 4.6}l4.6 8h-9.2z`,
    `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
  ][i % 4]
  return shape("path", { d, fill: "currentColor" })
}

class Plot {
  constructor(tell) {
    Object.assign(this, { tell, index: -1, byKey: false })
    this.svg = shape("svg", { "aria-hidden": "true" })
    this.frame = el("div", { className: "plot", tabIndex: 0, role: "application" }, this.svg)
    this.frame.onpointermove = event => this.point(event)
    this.frame.onpointerleave = () => this.go(-1)
    this.frame.onblur = () => this.go(-1)
    this.frame.onkeydown = event => {
      const last = this.places.length - 1
      const to = { ArrowRight: this.index + 1, ArrowLeft: this.index < 0 ? last : this.index - 1, Home: 0, End: last }[event.key]
      if (to === undefined) return
      event.preventDefault()
      this.byKey = true
      this.go(Math.max(0, Math.min(last, to)))
      this.byKey = false
    }
  }

  draw(lines, words) {
    const wide = this.frame.clientWidth
    if (!wide) return
    this.frame.ariaLabel = words.chart
    const points = lines.flatMap(line => line.points)
    this.places = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
    const values = points.flatMap(({ y, other }) => other === null ? [y] : [y, other]), low = Math.min(0, ...values)
    const last = Math.max(1, ...this.places)
    this.x = x => EDGE.left + x / last * (wide - EDGE.left - EDGE.right)
    this.y = y => EDGE.top + (1 - y) / (1 - low) * (TALL - EDGE.top - EDGE.bottom)
    for (const [name, value] of [["viewBox", `0 0 ${wide} ${TALL}`], ["width", wide], ["height", TALL]]) this.svg.setAttribute(name, value)
    this.rule = shape("path", { class: "rule" })
    this.svg.replaceChildren(...this.axes(low, wide, points, words), this.rule, ...lines.map((line, i) => this.line(line, i)))
    this.go(-1)
  }

  axes(low, wide, points, words) {
    const ticks = [1, 0.75, 0.5, 0.25, 0, -0.25, -0.5].filter(value => value >= low)
    const text = (content, x, y, anchor) => shape("text", { x, y, "text-anchor": anchor }, content)
    const grid = ticks.map(value => shape("path", { class: "grid", d: `M${EDGE.left} ${this.y(value)}H${wide - EDGE.right}` }))
    const numbers = ticks.map(value => text(String(value), EDGE.left - 6, this.y(value) + 4, "end"))
    const named = this.places.map(x => points.find(point => point.x === x)).filter(({ x }) => x === 0 || x === 0.5 || Number.isInteger(x))
    const step = this.x(1) - this.x(0)
    const names = named.map(({ x, layer }) => {
      const short = x < 1 ? layer : String(x)
      if (x === 0.5) return step < 150 ? "" : text(short, this.x(x), TALL - 12, "middle")
      return text(short, this.x(x), TALL - 12, x === 0 ? "start" : "middle")
    })
    return [...grid, ...numbers, ...names.filter(Boolean), text(words.axis, 0, 11, "start")]
  }

  line({ points, ink }, i) {
    const group = shape("g", { class: "line" })
    group.style.color = ink
    if (!points.length) return group
    const d = some => some.map(([x, y], at) => `${at ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join("")
    const others = points.filter(({ other }) => other !== null).map(({ x, other }) => [x, other])
    group.append(shape("path", { class: "others", d: d(others) }), shape("path", { class: "same", d: d(points.map(({ x, y }) => [x, y])) }),
      ...points.map(({ x, y }) => marker(i, this.x(x), this.y(y))))
    return group
  }

  point(event) {
    const at = event.clientX - this.frame.getBoundingClientRect().left
    let nearest = 0
    this.places.forEach((x, i) => { if (Math.abs(this.x(x) - at) < Math.abs(this.x(this.places[nearest]) - at)) nearest = i })
    this.go(nearest)
  }

  go(index) {
    this.index = index
    if (!this.rule) return
    this.rule.setAttribute("d", index < 0 ? "" : `M${this.x(this.places[index])} ${EDGE.top}V${TALL - EDGE.bottom}`)
    this.tell(index < 0 ? null : this.places[index])
  }

  strong(i) {
    ;[...this.svg.querySelectorAll(".line")].forEach((line, at) => line.classList.toggle("dim", i !== null && at !== i))
  }
}
