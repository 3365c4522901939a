// All heads on one canvas: where each thumbnail lies, and every dot of it from the bytes.

const GAP = 3, EDGE = 18, CAPTION = 14, LEAST = 20, MOST = 84, DIM = 0.85
const NONE = 999   // the shade of what is no number: beyond all others, so that it is seen among them
const ROOTS = Float32Array.from({ length: 256 }, (_, level) => Math.sqrt(level))   // of a byte: weights are seen by their roots

class Layout {
  /** `sorted`: in a row one after the other, each with its number below; else one row for each layer. */
  constructor(width, { layers, heads }, count, sorted) {
    const edge = sorted ? 0 : EDGE
    this.columns = sorted ? Math.max(1, Math.min(12, heads)) : heads
    this.side = Math.max(LEAST, Math.min(MOST, Math.floor((width - edge) / this.columns) - GAP))
    this.columns = sorted ? Math.max(1, Math.floor(width / (this.side + GAP))) : heads
    this.down = this.side + GAP + (sorted ? CAPTION : 0)
    Object.assign(this, { edge, width: Math.max(width, edge + this.columns * (this.side + GAP)) })
    this.rows = sorted ? Math.max(1, Math.ceil(count / this.columns)) : layers
    this.height = this.rows * this.down
  }

  at(place) {
    return { x: this.edge + place % this.columns * (this.side + GAP), y: Math.floor(place / this.columns) * this.down }
  }

  /** Dots of the screen, not of CSS, on a side: a head of 64 tokens has 64 rows, and a line one dot wide must be seen. */
  get dots() { return Math.floor(this.side * (window.devicePixelRatio || 1)) }
}

/** All of them as one picture: it is set at once, which takes a fraction of the time that one for each would. */
function paint(canvas, layout, shown, heads, colours) {
  const scale = window.devicePixelRatio || 1, width = Math.round(layout.width * scale), height = Math.round(layout.height * scale)
  Object.assign(canvas, { width, height })
  Object.assign(canvas.style, { width: `${layout.width}px`, height: `${layout.height}px` })
  if (!width || !height) return
  const { rows, columns } = heads.data, side = layout.dots, image = new ImageData(width, height)
  const board = { dots: new Uint32Array(image.data.buffer), width, side, down: shared(rows, side), along: shared(columns, side) }
  const bright = palette(colours, 0), faint = palette(colours, DIM)
  shown.forEach(({ i, dim }, place) => {
    const { x, y } = layout.at(place)
    thumbnail(board, Math.round(y * scale) * width + Math.round(x * scale), i, heads, dim ? faint : bright)
  })
  canvas.getContext("2d").putImageData(image, 0, 0)
}

/** Which weights each dot of a side stands for: from `first` to before `end`; each weight has its dot. */
function shared(weights, side) {
  const first = Uint16Array.from({ length: side }, (_, dot) => Math.floor(dot * weights / side))
  const end = Uint16Array.from(first, (from, dot) => Math.max(from + 1, Math.floor((dot + 1) * weights / side)))
  return { first, end }
}

/** The colours of a ramp as dots, and of what is no number, chequered. */
function palette(colours, dim) {
  const dot = colour => whole(dim ? mixed(colour, colours.paper, dim) : colour)
  return { weights: Uint32Array.from(colours.all, dot), none: [dot(colours.paper), dot(colours.none)] }
}

/** One head, line by line. Where several weights share a dot, it shows the largest, or their mean. */
function thumbnail({ dots, width, side, down, along }, start, i, heads, { weights, none }) {
  const { data: { rows }, scales } = heads, line = new Uint16Array(side), fold = heads.mean ? averaged : greatest
  for (let y = 0; y < side; y++) {
    const at = start + y * width, from = i * rows + down.first[y], to = i * rows + down.end[y], known = !Number.isNaN(scales[from])
    if (y && known && down.first[y] === down.first[y - 1]) {
      dots.copyWithin(at, at - width, at - width + side)
      continue
    }
    fold(line, heads, from, to, along)
    for (let x = 0; x < side; x++) dots[at + x] = line[x] === NONE ? none[(x >> 1) + (y >> 1) & 1] : weights[line[x]]
  }
}

/** Of each dot in a line the shade of its largest weight. */
function greatest(line, { data: { columns }, levels, scales }, from, to, { first, end }) {
  line.fill(0)
  for (let row = from; row < to; row++) {
    const root = LEVELS * Math.sqrt(scales[row]), base = row * columns
    if (Number.isNaN(root)) { line.fill(NONE); return }
    for (let x = 0; x < line.length; x++) {
      let largest = levels[base + first[x]]
      for (let c = first[x] + 1; c < end[x]; c++) if (levels[base + c] > largest) largest = levels[base + c]
      const shade = Math.min(LEVELS, ROOTS[largest] * root + 0.5 | 0)
      if (shade > line[x]) line[x] = shade
    }
  }
}

/** Of each dot in a line the shade of the mean of its weights. */
function averaged(line, { data: { columns }, levels, scales }, from, to, { first, end }) {
  for (let x = 0; x < line.length; x++) {
    let mean = 0
    for (let row = from; row < to; row++) {
      let sum = 0
      for (let c = first[x]; c < end[x]; c++) sum += levels[row * columns + c]
      mean += sum * scales[row] / (end[x] - first[x]) / (to - from)
    }
    line[x] = Number.isNaN(mean) ? NONE : Math.min(LEVELS, LEVELS * Math.sqrt(mean) + 0.5 | 0)
  }
}
