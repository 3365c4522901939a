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
}

/** Dots of the screen, not of CSS: a head of 64 tokens has 64 rows, and a line one dot wide must be seen. */
function paint(canvas, layout, shown, heads, colours) {
  const scale = window.devicePixelRatio || 1, width = Math.round(layout.width * scale), height = Math.round(layout.height * scale)
  Object.assign(canvas, { width, height })
  Object.assign(canvas.style, { width: `${layout.width}px`, height: `${layout.height}px` })
  const context = canvas.getContext("2d"), side = Math.floor(layout.side * scale), { rows, columns } = heads.data
  const down = places(rows, side), along = places(columns, side), bright = dots(colours, 0), faint = dots(colours, DIM)
  shown.forEach(({ i, dim }, place) => {
    const { x, y } = layout.at(place)
    context.putImageData(thumbnail(shades(i, side, heads, down, along), side, dim ? faint : bright), Math.round(x * scale), Math.round(y * scale))
  })
  if (layout.edge) number(context, layout, scale, colours)
}

/** Which weight and which dot meet, along one side: each of both at least once. */
function places(weights, side) {
  const count = Math.max(weights, side), share = total => Uint16Array.from({ length: count }, (_, i) => Math.floor(i * total / count))
  return { weight: share(weights), dot: share(side) }
}

/** The colours of a ramp as dots, and of what is no number, chequered. */
function dots(colours, dim) {
  const dot = colour => whole(dim ? mixed(colour, colours.paper, dim) : colour)
  return { weights: Uint32Array.from(colours.all, dot), none: [dot(colours.paper), dot(colours.none)] }
}

/** For each dot of a head which colour of the ramp it has; where several weights share a dot, the largest is seen. */
function shades(i, side, { data: { rows, columns }, levels, scales }, down, along) {
  const found = new Uint16Array(side * side)
  for (let r = 0; r < down.dot.length; r++) {
    const row = i * rows + down.weight[r], line = down.dot[r] * side, root = LEVELS * Math.sqrt(scales[row])
    if (r && down.weight[r] === down.weight[r - 1]) {
      found.copyWithin(line, line - side, line)
      continue
    }
    for (let c = 0; c < along.dot.length; c++) {
      const at = line + along.dot[c], shade = ROOTS[levels[row * columns + along.weight[c]]] * root
      const step = Number.isNaN(shade) ? NONE : Math.min(LEVELS, Math.round(shade))
      if (step > found[at]) found[at] = step
    }
  }
  return found
}

function thumbnail(shades, side, { weights, none }) {
  const found = new ImageData(side, side), picture = new Uint32Array(found.data.buffer)
  for (let at = 0; at < picture.length; at++) {
    picture[at] = shades[at] === NONE ? none[(Math.floor(at / side / 2) + Math.floor(at % side / 2)) % 2] : weights[shades[at]]
  }
  return found
}

/** The numbers of the layers, at the edge. */
function number(context, layout, scale, colours) {
  context.fillStyle = css(mixed(colours.none, colours.paper[1] < 128 ? [255, 255, 255] : [0, 0, 0], 0.4))
  context.font = `${11 * scale}px sans-serif`
  context.textAlign = "right"
  context.textBaseline = "middle"
  for (let row = 0; row < layout.rows; row++) {
    context.fillText(String(row + 1), (layout.edge - 5) * scale, (row * layout.down + layout.side / 2) * scale)
  }
}
