// One matrix: its mask small, what was measured large, with names where there is room.

const NAMED = 11     // CSS pixels of a cell from which its row and column get their names
const MOST = 30      // and no larger than that
const GAPS = 7       // from which cells stand apart

class Tile {
  constructor(grid, pane, calls) {
    Object.assign(this, { pane, calls, at: { i: 0, j: 0 } })
    const { model } = pane
    this.name = el("b", {}, model.name)
    this.title = el("span", { className: "note" })
    this.mask = el("canvas", { className: "mask", role: "img" })
    this.canvas = el("canvas", { ariaHidden: "true" })
    this.row = el("i", { className: "band" })
    this.column = el("i", { className: "band" })
    this.square = el("div", { className: "square", tabIndex: 0, role: "application" }, this.canvas, this.row, this.column)
    this.left = el("div", { className: "left", ariaHidden: "true" })
    this.above = el("div", { className: "above", ariaHidden: "true" })
    this.matrix = el("div", { className: "matrix" }, el("span"), this.above, this.left, this.square)
    this.check = el("p", { className: "check" }, el("span", { ariaHidden: "true" }), el("span"))
    this.value = el("p", { className: "value" })
    const head = el("header", {}, el("div", {}, this.name, this.title), this.mask)
    this.frame = el("figure", { className: "tile" }, head, this.matrix, this.check, this.value)
    this.listen()
    this.sizes = new ResizeObserver(() => { if (this.frame.clientWidth !== this.drawn) this.draw(this.colours) })
    this.sizes.observe(this.frame)
    grid.append(this.frame)
    this.dress()
  }

  close() { this.sizes.disconnect() }

  dress() {
    const { pane } = this, { model } = pane, words = this.calls.words()
    this.frame.style.setProperty("--mark", model.colour.light)
    this.name.style.color = model.ink
    this.title.textContent = pane.title
    this.mask.ariaLabel = words.mask
    this.mask.title = words.mask
    this.square.ariaLabel = fill(words.matrix, { name: model.name, title: pane.title })
    this.check.classList.toggle("bad", !pane.passed)
    this.check.firstChild.textContent = pane.passed ? "✓ " : "✗ "
    this.check.lastChild.textContent = pane.check
  }

  listen() {
    this.square.onpointermove = event => this.point(this.cell(event))
    this.square.onpointerleave = () => this.calls.point({})
    this.square.onclick = event => { this.at = this.cell(event); this.calls.pin(this.named(this.at)) }
    this.square.onfocus = () => { if (this.square.matches(":focus-visible")) this.move(0, 0) }
    this.square.onblur = () => this.calls.point({})
    this.square.onkeydown = event => {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key]
      if (event.key === "Enter" || event.key === " ") this.calls.pin(this.named(this.at))
      else if (step) this.move(...step)
      else return
      event.preventDefault()
    }
  }

  cell(event) {
    const { left, top, width, height } = this.square.getBoundingClientRect(), { rows, columns } = this.pane
    const place = (at, size, count) => Math.max(0, Math.min(count - 1, Math.floor(at / size * count)))
    return { i: place(event.clientY - top, height, rows.length), j: place(event.clientX - left, width, columns.length) }
  }

  named({ i, j }) { return { row: this.pane.rows[i].id, column: this.pane.columns[j].id } }
  point(cell) { this.calls.point(this.named(cell)) }

  /** By key: the cell is read out as well. */
  move(down, right) {
    const { rows, columns } = this.pane, { i, j } = this.at
    this.at = { i: Math.max(0, Math.min(rows.length - 1, i + down)), j: Math.max(0, Math.min(columns.length - 1, j + right)) }
    this.point(this.at)
    this.calls.say(this.said(this.at.i, this.at.j))
  }

  said(i, j) {
    const { rows, columns } = this.pane, words = this.calls.words(), value = this.pane.shown(i, j)
    const row = rows[i].text, column = columns[j].text
    return fill(rows[i].id === columns[j].id ? words.own : words.cell, { row, column, value })
  }

  draw(colours) {
    if (!colours || !this.frame.clientWidth) return
    Object.assign(this, { colours, drawn: this.frame.clientWidth })
    const { rows, columns } = this.pane, width = this.matrix.clientWidth
    const letter = parseFloat(getComputedStyle(this.matrix).fontSize)
    const labels = Math.min(width / 3, Math.max(...rows.map(({ text }) => letter * (0.7 + wide(text)))))
    const named = (width - labels) / columns.length >= NAMED
    const side = Math.min(MOST, (width - (named ? labels : 0)) / columns.length)
    this.matrix.classList.toggle("bare", !named)
    this.matrix.style.setProperty("--labels", `${named ? labels : 0}px`)
    Object.assign(this.square.style, { width: `${side * columns.length}px`, height: `${side * rows.length}px` })
    this.above.style.width = `${side * columns.length}px`
    this.left.replaceChildren(...(named ? rows : []).map(label))
    this.above.replaceChildren(...(named ? columns : []).map(label))
    paintCells(this.canvas, this.pane, side, colours)
    paintMask(this.mask, this.pane, colours)
  }

  /** Light a row and a column by their names, and say what stands where they cross; else what moves at all. */
  light(column, row) {
    const { rows, columns } = this.pane
    const lit = { rows: places(rows, row), columns: places(columns, column) }
    band(this.row, lit.rows, rows.length, "top", "height")
    band(this.column, lit.columns, columns.length, "left", "width")
    ;[...this.left.children].forEach((name, i) => name.classList.toggle("lit", lit.rows.includes(i)))
    ;[...this.above.children].forEach((name, j) => name.classList.toggle("lit", lit.columns.includes(j)))
    const cell = lit.rows.length && lit.columns.length
    this.value.textContent = cell ? this.said(lit.rows[0], lit.columns[0]) : this.pane.moving
    this.value.classList.toggle("one", Boolean(cell))
  }
}

/** About how wide a text is, in letters' heights: a Chinese character is as wide as it is high. */
const wide = text => [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 1 : 0.6), 0)
const places = (units, name) => name === null ? [] : units.flatMap(({ id }, i) => id === name ? [i] : [])
const label = ({ text, kind }) => el("span", { className: kind }, el("span", {}, text))

function band(frame, some, count, at, size) {
  frame.hidden = !some.length
  if (some.length) Object.assign(frame.style, { [at]: `${100 * some[0] / count}%`, [size]: `${100 * some.length / count}%` })
}

/** A canvas of dots of the screen, not of CSS. */
function context(canvas, width, height) {
  const scale = window.devicePixelRatio || 1
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) })
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` })
  const found = canvas.getContext("2d")
  found.scale(scale, scale)
  return found
}

/** What was measured; exactly 0 is a dot, so that it is not taken for something small. */
function paintCells(canvas, pane, side, colours) {
  const { rows, columns } = pane, gap = side >= GAPS ? 1 : 0
  const pen = context(canvas, side * columns.length, side * rows.length)
  const dot = css(mixed(colours.paper, colours.none, 0.9)), bad = css(colours.none)
  rows.forEach((_, i) => columns.forEach((_, j) => {
    const value = pane.value(i, j), x = j * side, y = i * side
    if (value === 0) {
      const size = Math.max(1, Math.min(2, side / 6))
      pen.fillStyle = dot
      pen.fillRect(x + (side - size) / 2, y + (side - size) / 2, size, size)
    } else {
      pen.fillStyle = Number.isFinite(value) ? css(colours.at(Math.max(value, 0.004))) : bad
      pen.fillRect(x, y, side - gap, side - gap)
    }
  }))
}

/** The nominal mask: tinted is what may arrive. */
function paintMask(canvas, pane, colours) {
  const { rows, columns } = pane, side = 56 / Math.max(rows.length, columns.length)
  const pen = context(canvas, side * columns.length, side * rows.length)
  pen.fillStyle = css(mixed(colours.paper, colours.strong, 0.5))
  rows.forEach((_, i) => columns.forEach((_, j) => {
    if (pane.may(i, j)) pen.fillRect(j * side, i * side, side + 0.3, side + 0.3)
  }))
}
