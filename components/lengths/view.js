// data: {serial, colours: [of each series], headline, most: the end of both axes, points: [{series, x, y, current, told}], words}
// In front of this file stands components/shared/elements.js.

const SIDE = 300, LEFT = 34, FOOT = 30, TOP = 8
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -99, End: 99 }
const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement)
  views.set(parentElement, view)
  const { words, most, points, colours } = data
  view.headline.textContent = data.headline
  view.told.textContent = words.hint
  view.legend.replaceChildren(...words.series.map((text, i) => el("span", { style: `--mark: ${colours[i]}`, className: `key of${i}` }, text)))
  const across = x => LEFT + (SIDE - LEFT - 8) * x / most, up = y => SIDE - FOOT - (SIDE - FOOT - TOP) * y / most
  const ticks = [...new Set([0, Math.round(most / 2), most])]
  const text = (content, attributes) => shape("text", attributes, content)
  view.chart.setAttribute("aria-label", words.chart)
  view.chart.replaceChildren(
    shape("path", { class: "axis", d: `M${LEFT} ${TOP}V${SIDE - FOOT}H${SIDE}` }), shape("path", { class: "equal", d: `M${across(0)} ${up(0)}L${across(most)} ${up(most)}` }),
    ...ticks.flatMap(tick => [text(tick, { x: across(tick), y: SIDE - FOOT + 13, "text-anchor": "middle" }), text(tick, { x: LEFT - 5, y: up(tick) + 3, "text-anchor": "end" })]),
    text(words.x, { x: SIDE - 2, y: SIDE - 4, "text-anchor": "end" }), text(words.y, { x: 10, y: TOP + 2, transform: `rotate(-90 10 ${TOP + 2})`, "text-anchor": "end" }),
    ...points.map(point => dot(point, across(point.x), up(point.y), colours[point.series], view)))
  view.dots = [...view.chart.querySelectorAll(".dot")]
  view.dots.forEach((node, i) => node.setAttribute("tabindex", i ? "-1" : "0"))
  return () => { view.frame.remove(); views.delete(parentElement) }
}

function build(root) {
  const view = { headline: el("p", { className: "headline", role: "status" }), legend: el("p", { className: "legend" }), told: el("p", { className: "note told" }),
    chart: shape("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "group", class: "chart" }) }
  view.chart.addEventListener("keydown", event => move(event, view))
  view.frame = el("div", { className: "view lengths" }, el("section", { className: "panel" }, view.headline, view.legend, view.chart, view.told))
  root.append(view.frame)
  return view
}

/** A round point for the one model, a square for the other: colour alone does not tell them apart. */
function dot({ series, current, told }, x, y, colour, view) {
  const size = current ? 6 : 4
  const node = series ? shape("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size }) : shape("circle", { cx: x, cy: y, r: size })
  for (const [name, value] of Object.entries({ class: "dot", fill: colour, role: "img", "aria-label": told })) node.setAttribute(name, value)
  node.classList.toggle("current", Boolean(current))
  const tell = () => { view.told.textContent = told }
  node.addEventListener("pointerenter", tell)
  node.addEventListener("focus", tell)
  return node
}

function move(event, { dots }) {
  const by = STEPS[event.key], now = dots.indexOf(event.target)
  if (by === undefined || now < 0) return
  event.preventDefault()
  const next = dots[Math.min(dots.length - 1, Math.max(0, now + by))]
  dots.forEach(node => node.setAttribute("tabindex", node === next ? "0" : "-1"))
  next.focus()
}
