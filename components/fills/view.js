// data: { colour, headline, words, panels: [{title, score, other, parts: [{text, step, changed}],
//         steps: [{step, blank, word, changed, probability}]}] }; a part with a step is a word filled in

const COLUMNS = ["step", "blank", "word", "probability"]
const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement)
  views.set(parentElement, view)
  view.frame.style.setProperty("--mark", data.colour)
  if (view.headline.textContent !== data.headline) view.headline.textContent = data.headline  // or it is read out again
  keep(view.panels, data.panels.length, panel)
  data.panels.forEach((each, i) => show(view.panels.children[i], each, data.words))
  return () => { view.frame.remove(); views.delete(parentElement) }
}

function build(root) {
  const view = { headline: el("p", { className: "headline", role: "status" }), panels: el("div", { className: "panels" }) }
  view.frame = el("div", { className: "view fills" }, view.headline, view.panels)
  root.append(view.frame)
  return view
}

function panel() {
  const heads = COLUMNS.map(className => el("th", { scope: "col", className }))
  const total = el("tr", {}, el("th", { scope: "row", colSpan: COLUMNS.length - 1 }), el("td", { className: "probability" }))
  const table = el("table", {}, el("caption", { className: "unseen" }), el("thead", {}, el("tr", {}, ...heads)), el("tbody"),
    el("tfoot", {}, total))
  return el("section", { className: "panel" }, el("h3"), el("p", { className: "text", dir: "auto" }), table, el("p", { className: "note" }))
}

function show(section, { title, parts, steps, score, other }, words) {
  const [heading, text, table, note] = section.children, [caption, head, body, foot] = table.children
  section.ariaLabel = heading.textContent = caption.textContent = title
  text.replaceChildren(...parts.map(part => part.step ? filled(part) : part.text))
  COLUMNS.forEach((name, i) => { head.firstChild.children[i].textContent = words[name] })
  keep(body, steps.length, () => el("tr", {}, ...COLUMNS.map(className => el("td", { className }))))
  steps.forEach((step, row) => {
    COLUMNS.forEach((name, i) => { body.children[row].children[i].textContent = step[name] })
    if (step.changed) body.children[row].children[2].append(" ", el("small", {}, words.changed))
  })
  foot.firstChild.firstChild.textContent = words.score
  foot.firstChild.lastChild.textContent = score
  note.textContent = other
  note.hidden = !other
}

/** A word filled in; the small number says when. */
function filled({ text, step, changed }) {
  return el("b", { className: changed ? "changed" : "" }, text, el("sup", {}, step))
}
