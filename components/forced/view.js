// data: {serial, colour, headline, rows: [{place, given, share, guess, free, wrong, parts}], words: {caption, heads}}
//   `wrong`: the model would write another token than the given one; `parts`: its free text has another token in this place
// In front of this file stands components/shared/elements.js.

const CELLS = ["given", "share", "guess", "free"]
const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement)
  views.set(parentElement, view)
  view.frame.style.setProperty("--mark", data.colour)
  view.headline.textContent = data.headline
  view.table.caption.textContent = data.words.caption
  data.words.heads.forEach((text, i) => { view.table.tHead.rows[0].cells[i].textContent = text })
  const body = view.table.tBodies[0]
  keep(body, data.rows.length, () => el("tr", {}, el("th", { scope: "row" }), ...CELLS.map(className => el("td", { className }))))
  data.rows.forEach((row, i) => {
    const line = body.rows[i]
    line.cells[0].textContent = row.place
    CELLS.forEach((cell, j) => { line.cells[j + 1].textContent = row[cell] })
    line.classList.toggle("wrong", row.wrong)
    line.classList.toggle("parts", row.parts)
  })
  return () => { view.frame.remove(); views.delete(parentElement) }
}

function build(root) {
  const view = { headline: el("p", { className: "headline", role: "status" }) }
  const heads = ["place", ...CELLS].map(className => el("th", { scope: "col", className }))
  view.table = el("table", {}, el("caption", { className: "unseen" }), el("thead", {}, el("tr", {}, ...heads)), el("tbody"))
  view.frame = el("div", { className: "view forced" }, el("section", { className: "panel" }, view.headline, el("div", { className: "scroller" }, view.table)))
  root.append(view.frame)
  return view
}
