// Weights as a map: rows are queries, columns are keys. Other components draw theirs with it, too.

const NAMED = 48   // tokens on a side that still get their names

class Matrix {
  /** `owner`: has `map` {rows, columns, weights, mask}, `data` {queries, keys, words.matrix} and `colours`, and is told what to `light` and to `lock`. */
  constructor(owner) {
    this.owner = owner
    this.canvas = el("canvas", { role: "img" })
    this.row = el("i", { className: "band" }), this.column = el("i", { className: "band" })
    this.left = el("div", { className: "left", ariaHidden: "true" })
    this.above = el("div", { className: "above", ariaHidden: "true" })
    this.square = el("div", { className: "square" }, this.canvas, this.row, this.column)
    this.frame = el("div", { className: "matrix" }, el("div", { className: "corner" }), this.above, this.left, this.square)
    this.square.onpointermove = event => this.owner.light(this.cell(event))
    this.square.onpointerleave = () => this.owner.light({})
    this.square.onclick = event => {
      const { row, column } = this.cell(event)
      this.owner.lock("rows", row)
      this.owner.lock("columns", column)
    }
  }

  cell(event) {
    const { left, top, width, height } = this.square.getBoundingClientRect(), { rows, columns } = this.owner.map
    const place = (at, size, count) => Math.max(0, Math.min(count - 1, Math.floor(at / size * count)))
    return { row: place(event.clientY - top, height, rows), column: place(event.clientX - left, width, columns) }
  }

  draw() {
    const { map, data, colours } = this.owner, { rows, columns } = map
    Object.assign(this.canvas, { width: columns, height: rows, ariaLabel: data.words.matrix })
    this.canvas.getContext("2d").putImageData(image(map, colours), 0, 0)
    this.square.style.aspectRatio = `${columns} / ${rows}`
    const named = Math.max(rows, columns) <= NAMED
    this.frame.classList.toggle("bare", !named)
    this.left.replaceChildren(...(named ? data.queries : []).map(unit => this.name(unit)))
    this.above.replaceChildren(...(named ? data.keys : []).map(unit => this.name(unit)))
  }

  name({ text, special }) { return el("span", { className: special ? "special" : "" }, text) }

  light(rows, columns) {
    const { map } = this.owner
    this.band(this.row, rows, map.rows, "top", "height")
    this.band(this.column, columns, map.columns, "left", "width")
    for (const [list, some] of [[this.left, rows], [this.above, columns]]) {
      [...list.children].forEach((name, i) => name.classList.toggle("lit", some.includes(i)))
    }
  }

  /** A frame around one row or column. */
  band(band, some, count, at, size) {
    band.hidden = some.length !== 1
    Object.assign(band.style, { [at]: `${100 * some[0] / count}%`, [size]: `${100 / count}%` })
  }
}
