// data: {serial, colour, headline, note, words, tables: [{title, kind, names: [name, value, note], low, high, ends,
//        rows: [{name, value, shown, low, high, note, strong}]}]}
// In front of this file stands components/shared/elements.js.

const at = (value, { low, high }) => 100 * (value - low) / (high - low)

export default function ({ data, parentElement }) {
  let frame = parentElement.querySelector(".rows")
  if (!frame) parentElement.append(frame = el("div", { className: "view rows" }))
  frame.style.setProperty("--mark", data.colour)
  const parts = [
    data.headline && el("p", { className: "headline" }, data.headline),
    el("div", { className: "tables" }, ...data.tables.map(table => section(table, data.words))),
    data.note && el("p", { className: "note" }, data.note),
  ]
  frame.replaceChildren(el("section", { className: "panel" }, ...parts.filter(Boolean)))
  return () => frame.remove()
}

function section(table, words) {
  const [name, value, note] = table.names
  const axis = el("th", { className: "axis", ariaHidden: "true" }, el("span", {}, table.ends[0]), el("span", {}, table.ends[1]))
  const heads = [el("th", { scope: "col" }, name), axis, el("th", { scope: "col", className: "shown" }, value)]
  if (note) heads.push(el("th", { scope: "col", className: "aside" }, note))
  const body = table.rows.map(row => line(row, table, Boolean(note)))
  const drawn = el("table", { className: note ? "noted" : "" }, el("caption", {}, table.title), el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...body))
  return el("div", { className: "scroller", tabIndex: 0, role: "region", ariaLabel: fill(words.region, { title: table.title }) }, drawn)
}

function line(row, table, noted) {
  const track = el("td", { className: "track", ariaHidden: "true" }, ...marks(row, table))
  const cells = [el("th", { scope: "row" }, row.name), track, el("td", { className: "shown" }, row.shown)]
  if (noted) cells.push(el("td", { className: "aside" }, row.note))
  return el("tr", { className: row.strong ? "strong" : "" }, ...cells)
}

/** A bar from 0, or a dot; over it the interval. */
function marks(row, table) {
  const found = []
  if (table.low < 0 && table.high > 0) found.push(placed("zero", at(0, table)))
  if (table.kind === "bars") {
    const [from, to] = [at(Math.max(table.low, 0), table), at(row.value, table)].sort((a, b) => a - b)
    found.push(placed(row.value < 0 ? "below" : "bar", from, to - from))
  }
  if (row.low !== null) found.push(placed("whisker", at(row.low, table), at(row.high, table) - at(row.low, table)))
  if (table.kind === "dots") found.push(placed("dot", at(row.value, table)))
  return found
}

function placed(className, left, width) {
  const mark = el("i", { className })
  mark.style.left = `${left}%`
  if (width !== undefined) mark.style.width = `max(2px, ${width}%)`
  return mark
}
