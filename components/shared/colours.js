// Weights as colours: from the paper to the architecture's mark. Numbers with a sign: diverging around zero.

const LEVELS = 255

const parsed = new Map()

/** Red, green and blue of any colour that CSS knows; asked of a canvas once, since that waits for its picture. */
function rgb(colour) {
  if (!parsed.has(colour)) parsed.set(colour, /^#[0-9a-f]{6}$/i.test(colour) ? [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16)) : painted(colour))
  return parsed.get(colour)
}

function painted(colour) {
  const context = el("canvas", { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true })
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
}

const mixed = (from, to, share) => from.map((value, i) => Math.round(value + share * (to[i] - value)))
const css = colour => `rgb(${colour.join(" ")})`
const styled = (root, name) => getComputedStyle(root.host ?? root).getPropertyValue(name).trim()

/** What weights are painted with: `at(0)` is the paper, `at(1)` the mark. By the square root: small weights are seen. */
function ramp(root, { light, dark }) {
  const paper = rgb(styled(root, "--st-secondary-background-color")), ink = rgb(styled(root, "--st-text-color"))
  const strong = rgb(paper[1] < 128 ? dark : light)
  const colours = Array.from({ length: LEVELS + 1 }, (_, i) => mixed(paper, strong, i / LEVELS))
  const none = mixed(paper, ink, 0.35)
  return { paper, none, strong, all: colours, at: weight => colours[step(weight)] }
}

/** Which of a ramp's colours a weight has. */
const step = weight => Math.round(LEVELS * Math.sqrt(Math.min(1, Math.max(0, weight))))

/** A colour as one number, as the bytes of a picture lie in memory: many dots are set so much sooner. */
const whole = ([red, green, blue]) => (255 << 24 | blue << 16 | green << 8 | red) >>> 0

/** What numbers with a sign are painted with: -1 and 1 are the ends, 0 the paper. */
function diverging(root) {
  const paper = rgb(styled(root, "--st-secondary-background-color")), ends = styled(root, "--st-chart-diverging-colors").split(",")
  const below = rgb(ends.at(-2)), above = rgb(ends[1]), none = mixed(paper, rgb(styled(root, "--st-text-color")), 0.35)
  return value => Number.isFinite(value) ? mixed(paper, value < 0 ? below : above, Math.min(1, Math.abs(value))) : none
}

/** A square of weights as an image of one pixel each; what is no number is chequered, what is masked half grey. */
function image({ rows, columns, weights, mask }, colours) {
  const found = new ImageData(columns, rows), dots = new Uint32Array(found.data.buffer), faint = mixed(colours.paper, colours.none, 0.3)
  for (let i = 0; i < rows * columns; i++) {
    const weight = weights[i], odd = (Math.floor(i / columns) + i) % 2
    const colour = mask && !mask[i] ? faint : Number.isNaN(weight) ? (odd ? colours.none : colours.paper) : colours.at(weight)
    dots[i] = whole(colour)
  }
  return found
}

/** The column of numbers that Python put into a message. */
const column = table => table.getChildAt(0)?.toArray() ?? []
