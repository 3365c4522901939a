// All heads on one canvas: where each thumbnail lies, and every dot of it from the bytes.

const GAP = 3, EDGE = 18, CAPTION = 14, LEAST = 20, MOST = 84, DIM = 0.85

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
  const context = canvas.getContext("2d"), side = Math.floor(layout.side * scale)
  shown.forEach(({ i, dim }, place) => {
    const { x, y } = layout.at(place)
    context.putImageData(thumbnail(i, side, heads, colours, dim ? DIM : 0), Math.round(x * scale), Math.round(y * scale))
  })
  if (layout.edge) number(context, layout, scale, colours)
}

/** One head as a picture of side x side dots; where several weights share a dot, the largest is seen. */
function thumbnail(i, side, { data: { rows, columns }, levels, scales }, colours, dim) {
  const largest = new Float32Array(side * side).fill(-1), found = new ImageData(side, side)
  const tall = Math.max(rows, side), wide = Math.max(columns, side)
  for (let r = 0; r < tall; r++) {
    const row = Math.floor(r * rows / tall), y = Math.floor(r * side / tall), scale = scales[i * rows + row]
    for (let c = 0; c < wide; c++) {
      const at = y * side + Math.floor(c * side / wide)
      const weight = levels[(i * rows + row) * columns + Math.floor(c * columns / wide)] * scale
      if (Number.isNaN(weight) || weight > largest[at]) largest[at] = weight
    }
  }
  largest.forEach((weight, at) => {
    const odd = (Math.floor(at / side / 2) + Math.floor(at % side / 2)) % 2
    const colour = Number.isNaN(weight) ? (odd ? colours.none : colours.paper) : colours.at(weight)
    found.data.set([...dim ? mixed(colour, colours.paper, dim) : colour, 255], 4 * at)
  })
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
