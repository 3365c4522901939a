// data: {serial, follows, colour: {light, dark}, layer, layers, head, heads, title, names: [text per head], queries and keys: [{text, special}],
//        levels (column of bytes: head, query, key), scales (float32 column: head, query), words}
//   -> state "layer": which one is asked for. "unmask:heads" opens a head exactly in the component of the key that is followed.
//   Which head is large, and the window that all share, is known here alone.
// In front of this file stand the scripts of components/shared, head/matrix.js and head/zoom.js.

const SHORT = 3
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Layer(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class Layer {
  constructor(root, { head }) {
    Object.assign(this, { root, head })
    this.title = el("h3")
    this.select = el("select", { onchange: () => this.ask(this.select.selectedIndex) })
    this.which = el("label", { className: "which" }, el("span"), this.select)
    this.open = el("button", { type: "button", className: "pill", onclick: () => tell("heads", { key: this.data.follows, heads: [[this.data.layer, this.head]] }) })
    this.name = el("h4")
    this.zoom = new Zoom(this)
    this.heads = el("div", { className: "all", role: "group" })
    this.heads.onclick = event => this.choose([...this.heads.children].indexOf(event.target.closest("button")))
    this.heads.addEventListener("focusin", event => rove([...this.heads.children], [...this.heads.children].indexOf(event.target)))
    this.heads.onkeydown = event => walk(event, [...this.heads.children], { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 4, ArrowUp: -4, Home: -999, End: 999 })
    this.readout = el("p", { className: "readout", role: "status" })
    this.hint = el("p", { className: "note" })
    this.table = el("details", { className: "note" }, el("summary"), el("div", { className: "scroller" }))
    this.table.ontoggle = () => this.tabulate()
    this.frame = el("div", { className: "view layer" }, el("section", { className: "panel" }, el("div", { className: "bar" }, this.title, this.which, this.open),
      this.readout, el("div", { className: "body" }, el("div", {}, this.name, this.zoom.frame), this.heads), this.hint, this.table))
    root.append(this.frame)
    new ResizeObserver(() => this.paint()).observe(this.heads)
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue, colours: ramp(this.root, data.colour) })
    const { words } = data
    this.unpack(column(data.levels), column(data.scales))
    this.frame.style.setProperty("--mark", data.colour.light)
    this.title.textContent = data.title
    this.which.firstChild.textContent = words.layer
    this.select.replaceChildren(...Array.from({ length: data.layers }, (_, i) => el("option", {}, i + 1)))
    this.select.selectedIndex = data.layer
    this.select.disabled = false
    this.open.textContent = words.open
    this.hint.textContent = `${words.hint} ${words.moving}`
    this.heads.ariaLabel = words.heads
    this.table.firstChild.textContent = words.table
    keep(this.heads, data.heads, () => el("button", { type: "button" }, el("canvas", { ariaHidden: "true" }), el("span")))
    ;[...this.heads.children].forEach((button, i) => {
      button.ariaLabel = data.names[i]
      button.lastChild.textContent = fill(words.head, { head: i + 1 })
    })
    this.readout.textContent = ""
    this.cell = this.cell ?? { row: 0, column: 0 }
    this.choose(Math.min(this.head, data.heads - 1))
  }

  /** Weights from bytes, of all heads. */
  unpack(levels, scales) {
    const { queries, keys, heads } = this.data, columns = keys.length
    this.weights = new Float32Array(levels.length)
    for (let row = 0; row < heads * queries.length; row++) {
      for (let i = row * columns; i < (row + 1) * columns; i++) this.weights[i] = levels[i] * scales[row]
    }
  }

  part(head) {
    const { queries, keys } = this.data, size = queries.length * keys.length
    return { rows: queries.length, columns: keys.length, weights: this.weights.subarray(head * size, (head + 1) * size), mask: null }
  }

  ask(layer) {
    this.readout.textContent = this.data.words.coming
    this.select.disabled = true
    this.setStateValue("layer", layer)
  }

  choose(head) {
    if (head < 0) return
    this.head = head
    this.map = this.part(head)
    this.name.textContent = this.data.names[head]
    const buttons = [...this.heads.children]
    buttons.forEach((button, i) => { button.ariaPressed = String(i === head) })
    rove(buttons, head)
    this.zoom.draw()
    this.paint()
    this.tabulate(true)
  }

  moved() {
    cancelAnimationFrame(this.frameAsked)
    this.frameAsked = requestAnimationFrame(() => this.paint())
  }

  /** All heads, in the window of the large one. */
  paint() {
    if (!this.zoom.window || !this.heads.clientWidth) return
    const scale = window.devicePixelRatio || 1
    ;[...this.heads.children].forEach((button, i) => {
      const canvas = button.firstChild, side = Math.max(1, Math.round(canvas.clientWidth * scale))
      Object.assign(canvas, { width: side, height: side })
      canvas.getContext("2d").putImageData(pooledImage(this.part(i), this.zoom.window, side, side, this.zoom.mean, this.colours), 0, 0)
    })
  }

  /** The weights of the pointed cell in every head. */
  light({ row = -1, column = -1 }) {
    const pointed = row >= 0 && column >= 0
    this.zoom.light(pointed ? [row] : [], pointed ? [column] : [])
    if (!pointed) return
    const { words, queries, keys, heads } = this.data
    const weights = Array.from({ length: heads }, (_, i) => fill(words.one, { head: i + 1, weight: this.weight(i, row, column) })).join(words.comma)
    this.readout.textContent = fill(words.cell, { query: queries[row].text, key: keys[column].text, weights })
  }

  weight(head, row, column) {
    const weight = this.part(head).weights[row * this.data.keys.length + column]
    return Number.isNaN(weight) ? "NaN" : weight.toFixed(SHORT)
  }

  /** A cell is kept: the table is of it. */
  lock(side, i) {
    this.cell = { ...this.cell, [side === "rows" ? "row" : "column"]: i }
    this.tabulate(true)
  }

  tabulate(anew = false) {
    if (anew) this.table.lastChild.replaceChildren()
    if (!this.table.open || this.table.lastChild.children.length) return
    const { words, queries, keys, names } = this.data, { row, column } = this.cell
    if (row >= queries.length || column >= keys.length) this.cell = { row: 0, column: 0 }
    const at = this.cell, caption = fill(words.caption, { query: queries[at.row].text, key: keys[at.column].text })
    const rows = names.map((name, i) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, this.weight(i, at.row, at.column))))
    this.table.lastChild.replaceChildren(el("table", {}, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, words.title), el("th", { scope: "col" }, words.weight))), el("tbody", {}, ...rows)))
    Object.assign(this.table.lastChild, { tabIndex: 0, role: "region", ariaLabel: words.table })
  }
}
