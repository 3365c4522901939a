// data: {serial, colour: {light, dark}, title, told, follows, at: [layer, head] or null, rows and columns: [{text, special}], layers, layer, row, link: {layer, row} (names, "" for none),
//        maps: [{title, note, told, most: number of a full colour on both sides of 0, or null for weights from 0 to 1}], map0, map1, …
//        (float32 columns: layer, row, column; NaN where there is none), words}
//   -> state "head": the head that is open now, where another one is followed
//   Which layer is shown, which row is told of and what has the pointer is known here alone.
// In front of this file stand the scripts of components/shared, and head/matrix.js.

const DIGITS = 6, SHORT = 3
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Maps(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class Maps {
  constructor(root, { layer, row }) {
    Object.assign(this, { root, layer, row, lit: {}, panels: [] })
    this.title = el("h3")
    this.slider = el("input", { type: "range", min: 1, step: 1, oninput: () => this.scrub(Number(this.slider.value) - 1) })
    this.depth = el("label", { className: "share" }, el("span"), this.slider)
    this.select = el("select", { onchange: () => this.ask(this.select.selectedIndex) })
    this.asks = el("label", { className: "asks" }, el("span"), this.select)
    this.told = el("p", { className: "told" })
    this.headline = el("p", { className: "headline", role: "status" })
    this.board = el("div", { className: "board" })
    this.readout = el("p", { className: "readout" })
    this.table = el("details", { className: "note" }, el("summary"), el("div", { className: "scroller" }))
    this.table.ontoggle = () => this.tabulate()
    this.frame = el("div", { className: "view maps" }, el("section", { className: "panel" },
      el("div", { className: "bar" }, this.title, this.depth, this.asks), this.told, this.headline, this.board, this.readout, this.table))
    root.append(this.frame)
    this.stop = new AbortController()
    followHead(this)
  }

  close() {
    for (const name of Object.values(this.data.link)) linked(name, null)
    this.stop.abort()
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue })
    const { words, rows, layers, colour } = data
    this.layer = Math.min(this.layer, layers - 1)
    this.row = Math.min(this.row, rows.length - 1)
    this.frame.style.setProperty("--mark", colour.light)
    this.title.textContent = data.title
    this.told.textContent = data.told
    this.depth.hidden = layers < 2
    this.slider.max = layers
    this.asks.firstChild.textContent = words.asks
    this.select.replaceChildren(...rows.map(({ text }, i) => el("option", {}, `${i + 1} · ${text}`)))
    this.table.firstChild.textContent = words.table
    if (this.panels.length !== data.maps.length) this.panels = data.maps.map(() => new Panel(this))
    this.board.replaceChildren(...this.panels.map(panel => panel.frame))
    this.panels.forEach((panel, i) => panel.dress(data.maps[i], column(data[`map${i}`])))
    this.scrub(this.layer)
    this.ask(this.row)
  }

  scrub(layer) {
    this.layer = layer
    this.slider.value = layer + 1
    this.depth.firstChild.textContent = fill(this.data.words.layer, { layer: layer + 1, layers: this.data.layers })
    this.panels.forEach(panel => panel.draw(layer))
    if (this.data.link.layer) linked(this.data.link.layer, layer + 1)
    this.tell()
    this.light(this.lit)
  }

  ask(row) {
    this.row = row
    this.select.selectedIndex = row
    if (this.data.link.row) linked(this.data.link.row, row + 1)
    this.tell()
    this.light(this.lit)
  }

  /** The chosen row in words, and as a table if that is open. */
  tell() {
    const { words, rows } = this.data
    const told = this.panels.map(panel => panel.told(this.row)).filter(Boolean)
    this.headline.textContent = told.length ? fill(words.row, { layer: this.layer + 1, word: rows[this.row].text, text: told.join(words.comma) }) : ""
    this.table.lastChild.replaceChildren()
    this.tabulate()
  }

  /** A cell has the pointer: all maps show it, and its numbers are read out; else the chosen row. */
  light({ row = -1, column = -1 }) {
    this.lit = { row, column }
    const pointed = row >= 0 && column >= 0, { words, rows, columns } = this.data
    this.panels.forEach(panel => panel.matrix.light([pointed ? row : this.row], pointed ? [column] : []))
    this.readout.textContent = !pointed ? words.hint : fill(words.cell, { query: rows[row].text, key: columns[column].text,
      text: this.panels.map(panel => fill(words.one, { name: panel.facts.title, value: panel.value(row, column, DIGITS) })).join(words.comma) })
  }

  tabulate() {
    if (!this.table.open || this.table.lastChild.children.length) return
    const { words, columns, rows } = this.data
    const heads = [words.key, ...this.panels.map(panel => panel.facts.title)].map(text => el("th", { scope: "col" }, text))
    const body = columns.map(({ text }, j) => el("tr", {}, el("th", { scope: "row" }, text),
      ...this.panels.map(panel => el("td", {}, panel.value(this.row, j, DIGITS)))))
    this.table.lastChild.replaceChildren(el("table", {}, el("caption", {}, fill(words.caption, { layer: this.layer + 1, word: rows[this.row].text })),
      el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...body)))
    Object.assign(this.table.lastChild, { tabIndex: 0, role: "region", ariaLabel: words.table })
  }
}

/** One of the maps. */
class Panel {
  constructor(view) {
    this.view = view
    this.title = el("h4")
    this.note = el("p", { className: "note" })
    this.matrix = new Matrix(this)
    this.frame = el("div", { className: "map" }, this.title, this.matrix.frame, this.note)
  }

  dress(facts, values) {
    Object.assign(this, { facts, values })
    const { rows, columns } = this.view.data
    this.title.textContent = facts.title
    this.note.textContent = facts.note
    this.data = { queries: rows, keys: columns, words: { matrix: facts.title } }
    this.colours = facts.most === null ? ramp(this.view.root, this.view.data.colour) : around(this.view.root, this.view.data.colour, facts.most)
  }

  draw(layer) {
    const { rows, columns } = this.view.data, size = rows.length * columns.length
    this.map = { rows: rows.length, columns: columns.length, weights: this.values.subarray(layer * size, (layer + 1) * size), mask: null }
    this.matrix.draw()
  }

  light(at) { this.view.light(at) }
  lock(side, i) { if (side === "rows") this.view.ask(i) }

  value(row, column, digits) { return shown(this.map.weights[row * this.map.columns + column], digits, this.facts.most !== null) }

  /** Where the row has most, in words; of numbers with a sign, the largest either way. */
  told(row) {
    const some = this.map.weights.subarray(row * this.map.columns, (row + 1) * this.map.columns)
    let best = -1
    some.forEach((value, j) => { if (!Number.isNaN(value) && (best < 0 || Math.abs(value) > Math.abs(some[best]))) best = j })
    return best < 0 ? "" : fill(this.facts.told, { key: this.view.data.columns[best].text, value: this.value(row, best, SHORT) })
  }
}

/** As `ramp`, for numbers on both sides of 0. */
function around(root, colour, most) {
  const signed = diverging(root)
  return { ...ramp(root, colour), at: value => signed(value / most) }
}

/** A number for a reader: with a sign where there are both, "–" where there is none. */
function shown(value, digits, signed) {
  if (Number.isNaN(value)) return "–"
  const text = Math.abs(value).toFixed(digits)
  return !signed ? text : Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`
}
