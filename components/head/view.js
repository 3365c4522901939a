// data: {serial, key, colour: {light, dark}, heads: [[layer, head]], title, plain, queries and keys: [{text, token (where it is not its place), special, continues}] (keys: null if they are the queries),
//        weights (float32 column), mask (column of bytes, or null), top, note, locked: {rows, columns}, words}
//   -> states "heads" (chosen among all heads), "rows", "columns" (locked) and "top" (per cent of edges drawn)
//   "unmask:heads" from all heads: draw what bytes tell at once, and ask Python for the exact numbers;
//   "unmask:opened" tells them and others which heads are open, and which token was locked last as a query.
// In front of this file stand the scripts of components/shared, lines.js, matrix.js and zoom.js.

const STAY = 400   // milliseconds; dragging the slider must not rerun the page each time
const REST = 150   // milliseconds after which a window that was moved is where it should be
const DIGITS = 6
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Head(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class Head {
  constructor(root, { top, locked }) {
    Object.assign(this, { root, top, locked: { rows: new Set(locked.rows), columns: new Set(locked.columns) }, lit: {}, stop: new AbortController() })
    this.title = el("h3")
    this.state = el("span", { className: "note" })
    this.slider = el("input", { type: "range", min: 1, max: 100, step: 1, oninput: () => this.draws(Number(this.slider.value)) })
    this.share = el("label", { className: "share" }, el("span"), this.slider)
    this.free = el("button", { type: "button", className: "pill", onclick: () => this.unlock() })
    this.lines = new Lines(this)
    this.matrix = this.near = new Matrix(this)
    this.far = new Zoom(this)
    this.holder = el("div", {}, this.near.frame)
    this.readout = el("p", { className: "readout", role: "status" })
    this.table = el("details", { className: "note" }, el("summary"), el("div", { className: "scroller" }))
    this.table.ontoggle = () => this.tabulate()
    this.hint = el("p", { className: "note" })
    const bar = el("div", { className: "bar" }, this.title, this.state, this.share, this.free)
    this.frame = el("div", { className: "view head" }, el("section", { className: "panel" }, bar, this.readout,
      el("div", { className: "body" }, this.lines.frame, this.holder), this.hint, this.table))
    root.append(this.frame)
    hear(this, "heads", () => this.data.key, told => this.chosen(told))
  }

  close() {
    clearTimeout(this.timer)
    clearTimeout(this.following)
    this.stop.abort()
    this.frame.remove()
  }

  update(given, setStateValue) {
    const before = this.data, data = { ...given, keys: given.keys ?? given.queries }
    Object.assign(this, { data, setStateValue, colours: ramp(this.root, data.colour) })   // asked first: after changes it waits for the whole page
    const { words, queries, keys } = data
    if (before && (before.queries.length !== queries.length || before.keys.length !== keys.length)) this.locked = { rows: new Set(), columns: new Set() }
    this.map = { rows: queries.length, columns: keys.length, weights: column(data.weights), mask: data.mask && column(data.mask) }
    this.choose(Math.max(queries.length, keys.length) > NAMED ? this.far : this.near)
    this.frame.style.setProperty("--mark", data.colour.light)
    this.title.textContent = data.title
    this.state.textContent = data.note
    this.free.textContent = words.free
    this.hint.textContent = this.matrix === this.far ? `${words.hint} ${words.moving}` : words.hint
    this.table.firstChild.textContent = words.table
    this.lines.dress()
    this.draw()
    const row = [...this.locked.rows].at(-1)
    tell("opened", { key: data.key, heads: data.heads, token: row === undefined ? null : queries[row]?.token ?? row })
  }

  /** A map whose tokens all have a name, or a window into one with more of them. */
  choose(matrix) {
    this.matrix = matrix
    if (matrix.frame.parentNode !== this.holder) this.holder.replaceChildren(matrix.frame)
    if (matrix === this.near || this.far.size !== `${this.map.rows} ${this.map.columns}`) this.lines.first = { rows: 0, columns: 0 }
  }

  /** The window was moved: when it rests, the lines are those of its tokens. */
  moved() {
    clearTimeout(this.following)
    this.following = setTimeout(() => {
      this.lines.follow(this.far.range())
      this.lines.dress()
      this.edges()
      this.light(this.lit)
    }, REST)
  }

  /** Another head was chosen: its bytes at once, its numbers when Python has sent them. */
  chosen({ heads, rows, columns, weights }) {
    if (weights && this.data.plain && rows === this.map.rows && columns === this.map.columns) {
      this.map = { ...this.map, weights }
      this.draw()
    }
    this.state.textContent = this.data.words.coming
    this.setStateValue("heads", heads)
  }

  draw() {
    this.frame.style.setProperty("--strong", css(this.colours.strong))
    const { top, data: { words } } = this
    this.slider.value = top
    this.share.firstChild.textContent = fill(words.top, { share: top })
    this.edges()
    this.matrix.draw()
    this.table.lastChild.replaceChildren()
    this.tabulate()
    this.light(this.lit)
  }

  draws(top) {
    this.top = top
    this.share.firstChild.textContent = fill(this.data.words.top, { share: top })
    this.edges()
    this.light(this.lit)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.setStateValue("top", top), STAY)
  }

  /** The strongest edges between tokens that have lines: so many per cent of all that the mask allows. */
  edges() {
    const { weights, mask, columns } = this.map, range = this.lines.range(), open = []
    for (let row = range.rows[0]; row < range.rows[1]; row++) for (let j = range.columns[0]; j < range.columns[1]; j++) {
      const i = row * columns + j
      if (!mask || mask[i]) open.push(i)
    }
    const strongest = open.filter(i => weights[i] > 0).sort((a, b) => weights[b] - weights[a])
    this.lines.draw(strongest.slice(0, Math.ceil(this.top / 100 * open.length)))
  }

  /** What has the attention: a row (query), a column (key), or one cell; what is locked, where there is nothing else. */
  light({ row = -1, column = -1 }) {
    this.lit = { row, column }
    const rows = row >= 0 ? [row] : column >= 0 ? [] : [...this.locked.rows]
    const columns = column >= 0 ? [column] : row >= 0 ? [] : [...this.locked.columns]
    this.lines.light(rows, columns)
    this.matrix.light(rows, columns)
    const one = [...this.locked.rows].length + [...this.locked.columns].length === 1
    this.readout.textContent = row >= 0 || column >= 0 ? this.said(row, column)
      : one ? this.said(...this.locked.rows, ...this.locked.rows.size ? [-1] : [-1, ...this.locked.columns]) : this.data.words.idle
  }

  weight(row, column) {
    const i = row * this.map.columns + column, weight = this.map.weights[i]
    if (this.map.mask && !this.map.mask[i]) return this.data.words.masked
    return Number.isNaN(weight) ? "NaN" : weight.toFixed(DIGITS)
  }

  /** A cell, or the three strongest of a row or a column, in words. */
  said(row, column = -1) {
    const { words, queries, keys } = this.data
    if (row >= 0 && column >= 0) return fill(words.cell, { query: queries[row].text, key: keys[column].text, weight: this.weight(row, column) })
    const [units, name, template] = row >= 0 ? [keys, queries[row].text, words.row] : [queries, keys[column].text, words.column]
    const text = this.strongest(row, column).map(i => fill(words.one, {
      word: units[i].text, weight: row >= 0 ? this.weight(row, i) : this.weight(i, column) }))
    return fill(template, { word: name, text: text.join(words.comma) })
  }

  strongest(row, column) {
    const { rows, columns, weights, mask } = this.map, along = row >= 0
    const at = i => along ? row * columns + i : i * columns + column
    return Array.from({ length: along ? columns : rows }, (_, i) => i).filter(i => !mask || mask[at(i)])
      .sort((a, b) => weights[at(b)] - weights[at(a)]).slice(0, 3)
  }

  lock(side, i) {
    const set = this.locked[side]
    set.delete(i) || set.add(i)
    this.report(side)
  }

  unlock() {
    for (const side of ["rows", "columns"]) this.locked[side].clear()
    this.report("rows", "columns")
  }

  report(...sides) {
    this.lines.press()
    this.light(this.lit)
    for (const side of sides) this.setStateValue(side, [...this.locked[side]])
  }

  /** Each query with the keys it looks at most; all numbers are in the drawer below. */
  tabulate() {
    if (!this.table.open || this.table.lastChild.children.length) return
    const { words, queries, keys, title } = this.data
    const rows = queries.map(({ text }, row) => el("tr", {}, el("th", { scope: "row" }, text), ...this.strongest(row, -1)
      .map(i => el("td", {}, `${keys[i].text} ${this.weight(row, i)}`))))
    this.table.lastChild.replaceChildren(el("table", {}, el("caption", { className: "unseen" }, title),
      el("thead", {}, el("tr", {}, ...[words.query, ...words.places].map(text => el("th", { scope: "col" }, text)))), el("tbody", {}, ...rows)))
    Object.assign(this.table.lastChild, { tabIndex: 0, role: "region", ariaLabel: words.table })
  }
}
