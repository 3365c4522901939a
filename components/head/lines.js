// Queries on the left, keys on the right, and between them a line for each edge.

const ROW = 24      // CSS pixels of a token; view.css says the same
const MOST = 4000   // lines: more of them are a grey surface, and slow

class Lines {
  constructor(head) {
    this.head = head
    this.sides = { rows: this.side("rows", "row"), columns: this.side("columns", "column") }
    this.base = shape("g"), this.over = shape("g")
    this.picture = shape("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, this.base, this.over)
    this.heads = [el("span"), el("span"), el("span")]
    this.frame = el("div", { className: "lines" }, el("div", { className: "names" }, ...this.heads),
      el("div", { className: "flow" }, this.sides.rows, this.picture, this.sides.columns))
  }

  side(name, lit) {
    const list = el("div", { className: `tokens ${name}`, role: "group" })
    const index = ({ target }) => [...list.children].indexOf(target.closest("button"))
    const light = event => { const i = index(event); if (i >= 0) this.head.light({ [lit]: i }) }
    list.onpointerover = light
    list.onpointerleave = () => this.head.light({})
    list.addEventListener("focusin", event => { light(event); rove([...list.children], index(event)) })
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
      keep(list, units.length, () => el("button", { type: "button" }, el("span", { className: "text" }), el("span", { className: "weight" })))
      units.forEach(({ text, special, continues }, i) => {
        const button = list.children[i]
        button.className = [special && "special", continues && "continues"].filter(Boolean).join(" ")
        button.firstChild.textContent = text
        button.ariaLabel = fill(name === "rows" ? words.asQuery : words.asKey, { word: text, place: i + 1 })
      })
    }
    this.press()
    const height = ROW * Math.max(queries.length, keys.length)
    this.picture.setAttribute("viewBox", `0 0 100 ${height}`)
    this.picture.style.height = `${height}px`
  }

  press() {
    for (const [name, list] of Object.entries(this.sides)) {
      [...list.children].forEach((button, i) => { button.ariaPressed = String(this.head.locked[name].has(i)) })
      const first = [...list.children].findIndex(button => button.tabIndex === 0)
      rove([...list.children], first < 0 ? 0 : first)
    }
  }

  draw(edges) { this.base.replaceChildren(...edges.slice(0, MOST).map(i => this.line(i))) }

  line(i) {
    const { columns, weights } = this.head.map, weight = Math.min(1, weights[i])
    const from = ROW * (Math.floor(i / columns) + 0.5), to = ROW * (i % columns + 0.5)
    return shape("path", { d: `M0 ${from}C45 ${from} 55 ${to} 100 ${to}`, "stroke-width": (0.75 + 5 * weight).toFixed(2), "stroke-opacity": (0.12 + 0.88 * Math.sqrt(weight)).toFixed(3) })
  }

  /** All lines of some rows and columns, whatever their weight; the others step back. */
  light(rows, columns) {
    const { head: { map } } = this, some = rows.length + columns.length > 0, edges = new Set()
    for (const row of rows) for (let j = 0; j < map.columns; j++) edges.add(row * map.columns + j)
    for (const column of columns) for (let i = 0; i < map.rows; i++) edges.add(i * map.columns + column)
    if (rows.length === 1 && columns.length === 1 && this.head.lit.row >= 0) edges.clear(), edges.add(rows[0] * map.columns + columns[0])
    this.base.classList.toggle("back", some)
    this.over.replaceChildren(...[...edges].filter(i => map.weights[i] > 0).map(i => this.line(i)))
    this.values("columns", rows.length === 1 ? j => rows[0] * map.columns + j : null)
    this.values("rows", columns.length === 1 ? i => i * map.columns + columns[0] : null)
    this.mark("rows", rows)
    this.mark("columns", columns)
  }

  /** Beside each token its weight in the row or column that has the attention. */
  values(name, at) {
    [...this.sides[name].children].forEach((button, i) => {
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
    [...this.sides[name].children].forEach((button, i) => button.classList.toggle("lit", some.includes(i)))
  }
}
