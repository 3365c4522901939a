// A map of many tokens: a window into it, pooled to the dots of the screen, until single weights can be read. Other components borrow it.

const LABELLED = 40, NUMBERED = 34, CLOSEST = 6, OVERVIEW = 96   // tokens with names; CSS pixels of a cell that shows its number; least tokens; CSS pixels

/** What each dot of a canvas shows of a window: the largest of the weights that share it, or their mean. */
function pooledImage({ rows, columns, weights, mask }, { top, left, tall, wide }, width, height, mean, colours) {
  const found = new ImageData(width, height), dots = new Uint32Array(found.data.buffer), ramped = Uint32Array.from(colours.all, whole)
  const none = [whole(colours.paper), whole(colours.none)], faint = whole(mixed(colours.paper, colours.none, 0.3))
  const part = (from, size, count, most) => Array.from({ length: count + 1 }, (_, dot) => Math.min(most, Math.floor(from + dot * size / count + 1e-9)))
  const down = part(top, tall, height, rows), along = part(left, wide, width, columns)
  for (let y = 0; y < height; y++) {
    const r0 = Math.min(down[y], rows - 1), r1 = Math.max(r0 + 1, down[y + 1])
    if (y && down[y] === down[y - 1] && r1 === r0 + 1) {   // of one row of weights, all lines are alike
      dots.copyWithin(y * width, (y - 1) * width, y * width)
      continue
    }
    for (let x = 0; x < width; x++) {
      const c0 = Math.min(along[x], columns - 1), c1 = Math.max(c0 + 1, along[x + 1])
      let largest = -1, sum = 0, count = 0, open = !mask
      for (let r = r0; r < r1; r++) for (let i = r * columns + c0; i < r * columns + c1; i++) {
        const weight = weights[i]
        sum += weight
        count++
        if (weight > largest) largest = weight
        if (mask && mask[i]) open = true
      }
      dots[y * width + x] = !open ? faint : Number.isNaN(sum) ? none[(x >> 2) + (y >> 2) & 1] : ramped[step(mean ? sum / count : largest)]
    }
  }
  return found
}

class Zoom {
  /** `owner`: as for a Matrix, and is told of a moved window: `moved()`; has `words` in its data: see `components.head.zoom_words`. */
  constructor(owner) {
    Object.assign(this, { owner, mean: false, at: { row: 0, column: 0 }, fingers: new Map(), size: "" })
    this.canvas = el("canvas", { tabIndex: 0, role: "application" })
    this.row = el("i", { className: "band" }), this.column = el("i", { className: "band" })
    this.left = el("div", { className: "left", ariaHidden: "true" }), this.above = el("div", { className: "above", ariaHidden: "true" })
    this.square = el("div", { className: "square" }, this.canvas, this.row, this.column)
    const grid = el("div", { className: "matrix" }, el("div", { className: "corner" }), this.above, this.left, this.square)
    const button = (text, run) => el("button", { type: "button", className: "pill", onclick: run }, text)
    this.closer = button("+", () => this.scale(2)), this.farther = button("−", () => this.scale(0.5)), this.all = button("", () => this.scale(0))
    this.pool = el("select", { onchange: () => { this.mean = this.pool.selectedIndex === 1; this.draw() } })
    this.pooled = el("label", { className: "pooling" }, el("span"), this.pool)
    this.overview = el("canvas", { ariaHidden: "true" }), this.place = el("i")
    this.small = el("div", { className: "overview" }, this.overview, this.place)
    this.told = el("p", { className: "note window" })
    this.frame = el("div", { className: "zoom" }, el("div", { className: "tools" }, this.closer, this.farther, this.all, this.pooled), grid,
      el("div", { className: "below" }, this.small, this.told))
    this.listen()
  }

  listen() {
    const { canvas, small } = this
    canvas.onpointermove = event => this.pointed(event)
    canvas.onpointerleave = () => { if (!this.fingers.size) this.owner.light({}) }
    canvas.onpointerdown = event => { canvas.setPointerCapture(event.pointerId); this.fingers.set(event.pointerId, event); this.dragged = false }
    canvas.onpointerup = event => { this.fingers.delete(event.pointerId); if (!this.dragged && event.button === 0) this.keep(this.cell(event)) }
    canvas.onpointercancel = event => this.fingers.delete(event.pointerId)
    canvas.ondblclick = event => this.scale(2, this.cell(event))
    canvas.addEventListener("wheel", event => {   // a page with a map on it is still scrolled
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      this.scale(event.deltaY < 0 ? 1.25 : 0.8, this.cell(event))
    }, { passive: false })
    canvas.onkeydown = event => this.key(event)
    canvas.onfocus = () => this.owner.light(this.at)
    canvas.onblur = () => this.owner.light({})
    small.onpointerdown = event => { small.setPointerCapture(event.pointerId); this.lead(event) }
    small.onpointermove = event => { if (event.buttons) this.lead(event) }
    new ResizeObserver(() => { if (this.square.clientWidth !== this.drawn) this.draw() }).observe(this.square)
  }

  keep({ row, column }) {
    this.at = { row, column }
    this.owner.lock("rows", row)
    this.owner.lock("columns", column)
  }

  cell({ clientX, clientY }) {
    const { left, top, width, height } = this.square.getBoundingClientRect(), { rows, columns } = this.owner.map, { window: seen } = this
    const place = (share, from, size, count) => Math.max(0, Math.min(count - 1, Math.floor(from + share * size)))
    return { row: place((clientY - top) / height, seen.top, seen.tall, rows), column: place((clientX - left) / width, seen.left, seen.wide, columns) }
  }

  /** Two fingers pinch, one drags a window that is not the whole map, none points. */
  pointed(event) {
    const before = this.fingers.get(event.pointerId)
    if (!before) return this.owner.light(this.cell(event))
    const others = [...this.fingers.values()].filter(each => each.pointerId !== event.pointerId)
    const far = Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY)
    if (!this.dragged && far < 4) return
    this.dragged = true
    const { tall, wide } = this.window, { width, height } = this.square.getBoundingClientRect()
    if (others.length) {
      const apart = each => Math.hypot(each.clientX - others[0].clientX, each.clientY - others[0].clientY)
      this.scale(apart(event) / Math.max(1, apart(before)), this.cell(event))
    } else this.move((before.clientY - event.clientY) / height * tall, (before.clientX - event.clientX) / width * wide)
    this.fingers.set(event.pointerId, event)
  }

  lead(event) {
    const { left, top, width, height } = this.small.getBoundingClientRect(), { rows, columns } = this.owner.map, { window: seen } = this
    this.move((event.clientY - top) / height * rows - seen.tall / 2 - seen.top, (event.clientX - left) / width * columns - seen.wide / 2 - seen.left)
  }

  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key]
    const scales = { "+": 2, "=": 2, "-": 0.5, 0: 0 }[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey || !(steps || scales !== undefined || event.key === "Enter")) return
    event.preventDefault()
    const { rows, columns } = this.owner.map
    if (event.key === "Enter") return this.keep(this.at)
    if (scales !== undefined) this.scale(scales, this.at)
    else {
      const far = event.shiftKey ? 10 : 1, within = (value, count) => Math.max(0, Math.min(count - 1, value))
      this.at = { row: within(this.at.row + far * steps[0], rows), column: within(this.at.column + far * steps[1], columns) }
      const { top, left, tall, wide } = this.window
      const out = (value, from, size) => value < from ? value - from : Math.max(0, value + 1 - from - size)
      this.move(out(this.at.row, top, tall), out(this.at.column, left, wide))
    }
    this.owner.light(this.at)
  }

  /** `factor` 0: the whole map. The cell that is pointed at stays where it is. */
  scale(factor, at = null) {
    const { rows, columns } = this.owner.map, before = this.window, longer = Math.max(rows, columns)
    const closest = Math.min(1, CLOSEST / longer), share = factor ? Math.max(closest, Math.min(1, before.tall / rows / factor)) : 1
    const tall = rows * share, wide = columns * share
    const middle = at ?? { row: before.top + before.tall / 2, column: before.left + before.wide / 2 }
    const held = (middle, from, size, next) => middle - (middle - from) / size * next
    this.window = { tall, wide, top: held(middle.row, before.top, before.tall, tall), left: held(middle.column, before.left, before.wide, wide) }
    this.move(0, 0)
  }

  move(down, right) {
    const { rows, columns } = this.owner.map, seen = this.window, within = (value, size, count) => Math.max(0, Math.min(count - size, value))
    seen.top = within(seen.top + down, seen.tall, rows)
    seen.left = within(seen.left + right, seen.wide, columns)
    this.draw()
    this.owner.moved?.()
  }

  /** The tokens that the window touches, from 0: [first, after the last]. */
  range() {
    const { rows, columns } = this.owner.map, { top, left, tall, wide } = this.window
    return { rows: [Math.floor(top), Math.min(rows, Math.ceil(top + tall))], columns: [Math.floor(left), Math.min(columns, Math.ceil(left + wide))] }
  }

  draw() {
    const { map } = this.owner, { rows, columns } = map
    if (this.size !== `${rows} ${columns}`) Object.assign(this, { window: { top: 0, left: 0, tall: rows, wide: columns }, size: `${rows} ${columns}`, at: { row: 0, column: 0 } })
    this.square.style.aspectRatio = `${columns} / ${rows}`
    cancelAnimationFrame(this.asked)   // with the next frame: then its size is known without asking for it
    this.asked = requestAnimationFrame(() => this.paint())
  }

  paint() {
    const { map, data: { words }, colours } = this.owner, { rows, columns } = map
    const width = this.drawn = this.square.clientWidth, height = this.square.clientHeight, scale = window.devicePixelRatio || 1
    if (!width || !height) return
    const { tall, wide } = this.window, cells = tall === rows && wide === columns && columns <= width && width / columns < NUMBERED
    // A whole map that has room gets a dot for each weight, and the style sheet stretches it.
    Object.assign(this.canvas, cells ? { width: columns, height: rows } : { width: Math.round(width * scale), height: Math.round(height * scale) })
    this.dress(words)
    const context = this.canvas.getContext("2d", { willReadFrequently: true })
    context.putImageData(pooledImage(map, this.window, this.canvas.width, this.canvas.height, this.mean, colours), 0, 0)
    this.number(context, scale)
    this.survey(map, colours)
    this.canvas.style.touchAction = tall < rows ? "none" : "pan-y"
    this.light(...this.lit ?? [[], []])
  }

  dress(words) {
    const { map: { rows, columns }, data: { queries, keys } } = this.owner, { tall, wide } = this.window
    for (const [button, name] of [[this.closer, words.closer], [this.farther, words.farther]]) Object.assign(button, { ariaLabel: name, title: name })
    this.all.textContent = words.whole
    this.closer.disabled = tall <= CLOSEST * rows / Math.max(rows, columns) + 1e-6
    this.farther.disabled = this.all.disabled = tall >= rows
    this.pooled.firstChild.textContent = words.sharing
    if (!this.pool.options.length) this.pool.append(el("option", {}, words.largest), el("option", {}, words.mean))
    this.canvas.ariaLabel = words.map
    const shown = this.range(), named = Math.max(tall, wide) <= LABELLED
    this.frame.querySelector(".matrix").classList.toggle("bare", !named)
    this.name(this.left, named ? queries.slice(...shown.rows) : [], shown.rows[0], this.window.top, tall, "height", "top")
    this.name(this.above, named ? keys.slice(...shown.columns) : [], shown.columns[0], this.window.left, wide, "width", "left")
    const dot = Math.max(1, Math.ceil(tall / Math.max(1, this.canvas.height))), texts = { side: dot, a: shown.rows[0] + 1, b: shown.rows[1], c: shown.columns[0] + 1, d: shown.columns[1], rows, columns }
    this.told.textContent = [fill(words.window, texts), dot > 1 ? fill(this.mean ? words.dotMean : words.dotLargest, texts) : ""].join(" ")
  }

  /** Names beside the rows or columns, cut off where the window cuts a token. */
  name(list, units, first, from, size, side, edge) {
    list.replaceChildren(...units.map(({ text, special }, i) => {
      const start = Math.max(from, first + i), end = Math.min(from + size, first + i + 1)
      const name = el("span", { className: special ? "special" : "" }, text)
      name.style.flex = `${Math.max(0, end - start)} 1 0`
      return name
    }))
  }

  /** Numbers in the cells, where there is room for them. */
  number(context, scale) {
    const { map: { columns, weights, mask }, colours } = this.owner, { top, left, tall, wide } = this.window, cell = this.drawn / wide
    if (cell < NUMBERED) return
    const shown = this.range(), size = cell * scale
    context.font = `${Math.round(11 * scale)}px ${styled(this.owner.root, "--st-font")}`
    Object.assign(context, { textAlign: "center", textBaseline: "middle" })
    for (let r = shown.rows[0]; r < shown.rows[1]; r++) for (let c = shown.columns[0]; c < shown.columns[1]; c++) {
      const i = r * columns + c, [red, green, blue] = colours.at(weights[i] || 0)
      if (mask && !mask[i]) continue
      context.fillStyle = 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? "#000" : "#fff"
      context.fillText(Number.isNaN(weights[i]) ? "NaN" : weights[i].toFixed(3), (c - left + 0.5) * size, (r - top + 0.5) * size)
    }
  }

  /** The whole map small, and in it a frame where the window is. */
  survey(map, colours) {
    const { rows, columns } = map, longer = Math.max(rows, columns), width = Math.ceil(OVERVIEW * columns / longer), height = Math.ceil(OVERVIEW * rows / longer)
    const { top, left, tall, wide } = this.window
    this.small.hidden = tall >= rows
    if (!this.small.hidden && (this.surveyed !== map.weights || this.meant !== this.mean)) {
      Object.assign(this.overview, { width, height })
      this.overview.getContext("2d").putImageData(pooledImage(map, { top: 0, left: 0, tall: rows, wide: columns }, width, height, this.mean, colours), 0, 0)
      Object.assign(this, { surveyed: map.weights, meant: this.mean })
    }
    const share = (value, count) => `${100 * value / count}%`
    Object.assign(this.place.style, { top: share(top, rows), height: share(tall, rows), left: share(left, columns), width: share(wide, columns) })
  }

  light(rows, columns) {
    this.lit = [rows, columns]
    const { top, left, tall, wide } = this.window
    this.band(this.row, rows, top, tall, "top", "height")
    this.band(this.column, columns, left, wide, "left", "width")
  }

  band(band, some, from, size, at, side) {
    const start = Math.max(from, some[0]), end = Math.min(from + size, some[0] + 1)
    band.hidden = some.length !== 1 || end <= start
    Object.assign(band.style, { [at]: `${100 * (start - from) / size}%`, [side]: `${100 * (end - start) / size}%` })
  }
}
