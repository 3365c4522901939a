// data: { colour, words, panels: [{title, axis, heads, notes, empty, rows: [{word, note, filled, cells, told, strong}]}] }

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const frame = views.get(parentElement) ?? el("div", { className: "view rated" })
  views.set(parentElement, frame)
  if (!frame.isConnected) parentElement.append(frame)
  frame.style.setProperty("--mark", data.colour)
  keep(frame, data.panels.length, panel)
  data.panels.forEach((each, i) => show(frame.children[i], each, data.words))
  return () => { frame.remove(); views.delete(parentElement) }
}

function panel() {
  const table = el("table", { role: "table" }, el("caption", { className: "unseen" }),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" })), el("tbody", { role: "rowgroup" }))
  return el("section", { className: "panel" }, el("h3"), table, el("div", { className: "notes" }))
}

function show(section, { title, axis, heads, rows, notes, empty }, words) {
  const [heading, table, below] = section.children, [caption, head, body] = table.children
  section.ariaLabel = heading.textContent = caption.textContent = title
  table.hidden = !rows.length
  const ends = el("th", { className: "axis", ariaHidden: "true" }, el("span", {}, "0"), el("span", {}, axis))
  const numbers = heads.map(text => el("th", { scope: "col", role: "columnheader", className: "number" }, text))
  head.firstChild.replaceChildren(el("th", { scope: "col", role: "columnheader" }, words.word), ends, ...numbers)
  keep(body, rows.length, () => el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, el("span", { dir: "auto" }), el("small"))))
  rows.forEach((row, i) => showRow(body.children[i], row, heads))
  const told = rows.length ? notes : [empty]
  below.replaceChildren(...told.map(text => el("p", { className: "note" }, text)))
}

/** On a narrow screen the numbers stand below the bar, so each cell knows its own heading. */
function showRow(tr, { word, note, filled, cells, told, strong }, heads) {
  const [name] = tr.children, kind = told ? "told" : "bar"
  name.firstChild.textContent = word
  name.lastChild.textContent = note
  tr.classList.toggle("strong", strong)
  if (tr.dataset.kind !== kind || tr.children.length !== (told ? 2 : 2 + cells.length)) {
    tr.dataset.kind = kind
    const track = el("td", { className: "track", ariaHidden: "true" }, el("i"))
    const numbers = cells.map(() => el("td", { role: "cell", className: "number" }))
    tr.replaceChildren(name, ...told ? [el("td", { role: "cell", colSpan: heads.length + 1, className: "note" })] : [track, ...numbers])
  }
  if (told) return tr.lastChild.textContent = told
  tr.children[1].firstChild.style.width = `${Math.min(100, 100 * filled)}%`
  cells.forEach((text, i) => {
    tr.children[2 + i].textContent = text
    tr.children[2 + i].dataset.head = heads[i]
  })
}
