// Queries on the left, keys on the right, and between them a line for each edge.

const ROW = 24      // CSS pixels of a token; view.css says the same
const MOST = 4000   // lines: more of them are a grey surface, and slow
const SHADES = 64   // of lines
const NAMES = 64    // tokens on a side; of more, those in the map's window

class Lines {
  constructor(head) {
    this.head = head
    this.first = { rows: 0, columns: 0 }
    this.part = el("p", { className: "note" })
    this.sides = { rows: this.side("rows", "row"), columns: this.side("columns", "column") }
    this.base = shape("g"), this.over = shape("g")
    this.picture = shape("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, this.base, this.over)
    this.heads = [el("span"), el("span"), el("span")]
    this.frame = el("div", { className: "lines" }, el("div", { className: "names" }, ...this.heads),
      el("div", { className: "flow" }, this.sides.rows, this.picture, this.sides.columns), this.part)
  }

  /** Which tokens have lines: [first, after the last] of rows and of columns. */
  range() {
    const { map } = this.head, end = name => Math.min(map[name], this.first[name] + NAMES)
    return { rows: [this.first.rows, end("rows")], columns: [this.first.columns, end("columns")] }
  }

  /** The window of a large map was moved: lines are of the tokens where it begins. */
  follow({ rows, columns }) {
    const { map } = this.head, begin = (name, [from]) => Math.max(0, Math.min(from, map[name] - NAMES))
    this.first = { rows: begin("rows", rows), columns: begin("columns", columns) }
  }

  side(name, lit) {
    const list = el("div", { className: `tokens ${name}`, role: "group" })
    const place = ({ target }) => [...list.children].indexOf(target.closest("button"))
    const index = event => { const i = place(event); return i < 0 ? i : i + this.first[name] }
    const light = event => { const i = index(event); if (i >= 0) this.head.light({ [lit]: i }) }
    list.onpointerover = light
    list.onpointerleave = () => this.head.light({})
    list.addEventListener("focusin", event => { light(event); rove([...list.children], place(event)) })
    list.addEventListener("focusout", () => this.head.light({}))
    list.onclick = event => { const i = index(event); if (i >= 0) this.head.lock(name, i) }
    list.onkeydown = event => walk(event, [...list.children], { ArrowDown: 1, ArrowUp: -1, Home: -9999, End: 9999 })
    return list
  }

  /** The tokens: numbered by their place, so that equal words stay apart. */
  dress() {
    const { words, queries, keys } = this.head.data
    this.heads[0].textContent = words.query
    this.heads[2].textContent = words.key
    for (const [name, units, label] of [["rows", queries, words.queries], ["columns", keys, words.keys]]) {
      const list = this.sides[name]
      list.ariaLabel = label
      const [from, end] = this.range()[name]
      keep(list, end - from, () => el("button", { type: "button" }, el("span", { className: "text" }), el("span", { className: "weight" })))
      units.slice(from, end).forEach(({ text, special, continues }, at) => {
        const button = list.children[at], i = from + at
        button.className = [special && "special", continues && "continues"].filter(Boolean).join(" ")
        button.firstChild.textContent = text
        button.ariaLabel = fill(name === "rows" ? words.asQuery : words.asKey, { word: text, place: i + 1 })
      })
    }
    this.press()
    const { rows, columns } = this.range(), all = rows[1] - rows[0] === queries.length && columns[1] - columns[0] === keys.length
    this.part.textContent = all ? "" : fill(words.part, { a: rows[0] + 1, b: rows[1], c: columns[0] + 1, d: columns[1] })
    const height = ROW * Math.max(rows[1] - rows[0], columns[1] - columns[0])
    this.picture.setAttribute("viewBox", `0 0 100 ${height}`)
    this.picture.style.height = `${height}px`
  }

  press() {
    for (const [name, list] of Object.entries(this.sides)) {
      [...list.children].forEach((button, i) => { button.ariaPressed = String(this.head.locked[name].has(this.first[name] + i)) })
      const first = [...list.children].findIndex(button => button.tabIndex === 0)
      rove([...list.children], first < 0 ? 0 : first)
    }
  }

  /** Lines of about one weight are one shape: a thousand of them would keep the browser much longer. */
  draw(edges) {
    const { weights } = this.head.map, alike = new Map()
    for (const i of edges.slice(0, MOST)) {
      const kind = Math.round(SHADES * Math.sqrt(Math.min(1, weights[i])))
      alike.set(kind, (alike.get(kind) ?? "") + this.way(i))
    }
    this.base.replaceChildren(...[...alike].map(([kind, way]) => this.drawn(way, (kind / SHADES) ** 2)))
  }

  way(i) {
    const { columns } = this.head.map, from = ROW * (Math.floor(i / columns) - this.first.rows + 0.5), to = ROW * (i % columns - this.first.columns + 0.5)
    return `M0 ${from}C45 ${from} 55 ${to} 100 ${to}`
  }

  drawn(way, weight) {
    return shape("path", { d: way, "stroke-width": (0.75 + 5 * weight).toFixed(2), "stroke-opacity": (0.12 + 0.88 * Math.sqrt(weight)).toFixed(3) })
  }

  line(i) { return this.drawn(this.way(i), Math.min(1, this.head.map.weights[i])) }

  /** All lines of some rows and columns, whatever their weight; the others step back. */
  light(rows, columns) {
    const { head: { map } } = this, some = rows.length + columns.length > 0, edges = new Set(), range = this.range()
    const has = (name, i) => i >= range[name][0] && i < range[name][1]
    for (const row of rows) if (has("rows", row)) for (let j = range.columns[0]; j < range.columns[1]; j++) edges.add(row * map.columns + j)
    for (const column of columns) if (has("columns", column)) for (let i = range.rows[0]; i < range.rows[1]; i++) edges.add(i * map.columns + column)
    if (rows.length === 1 && columns.length === 1 && this.head.lit.row >= 0) edges.clear(), has("rows", rows[0]) && has("columns", columns[0]) && edges.add(rows[0] * map.columns + columns[0])
    this.base.classList.toggle("back", some)
    this.over.replaceChildren(...[...edges].filter(i => map.weights[i] > 0).map(i => this.line(i)))
    this.values("columns", rows.length === 1 ? j => rows[0] * map.columns + j : null)
    this.values("rows", columns.length === 1 ? i => i * map.columns + columns[0] : null)
    this.mark("rows", rows)
    this.mark("columns", columns)
  }

  /** Beside each token its weight in the row or column that has the attention. */
  values(name, at) {
    [...this.sides[name].children].forEach((button, place) => {
      const i = this.first[name] + place
      const weight = at && this.head.map.weights[at(i)], { columns } = this.head.map
      button.lastChild.textContent = at ? this.short(Math.floor(at(i) / columns), at(i) % columns) : ""
      button.style.setProperty("--share", at && weight > 0 ? `${100 * Math.min(1, weight)}%` : "0%")
    })
  }

  short(row, column) {
    const told = this.head.weight(row, column)
    return Number.isNaN(Number(told)) ? (told === "NaN" ? told : "–") : Number(told).toFixed(3)
  }

  mark(name, some) {
    [...this.sides[name].children].forEach((button, i) => button.classList.toggle("lit", some.includes(this.first[name] + i)))
  }
}
