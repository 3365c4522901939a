// data: { colour, headline, legend: [name of each sentence] or [], notes, words,
//         columns: [{same, told, bars: [{word, shown, height: 0 to 1, null without a number}]}] }

const views = new WeakMap()
const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement)
  views.set(parentElement, view)
  view.data = data
  const { frame, headline, legend, list, told, notes } = view
  frame.style.setProperty("--mark", data.colour)
  frame.classList.toggle("pair", data.legend.length > 0)
  if (headline.textContent !== data.headline) headline.textContent = data.headline  // or it would be read out again
  headline.hidden = !data.headline
  legend.replaceChildren(...data.legend.map((name, i) => el("span", {}, el("i", { className: `bar of${i}` }), name)))
  list.ariaLabel = data.words.bars
  keep(list, data.columns.length, () => el("li", {}, el("button", { type: "button" }, el("span", { className: "pillars" }), el("span", { className: "names" }))))
  data.columns.forEach((column, i) => showColumn(list.children[i], column, i, view))
  rove([...list.querySelectorAll("button")], Math.min(view.at ?? 0, data.columns.length - 1))
  told.textContent = data.columns[view.at]?.told ?? data.words.hint
  notes.replaceChildren(...[data.words.scale, ...data.notes].map(text => el("p", { className: "note" }, text)))
  return () => { frame.remove(); views.delete(parentElement) }
}

function build(root) {
  const parts = { headline: el("p", { className: "headline", role: "status" }), legend: el("p", { className: "legend" }),
    list: el("ol", { className: "columns" }), told: el("p", { className: "told" }), notes: el("div", { className: "notes" }) }
  const panel = el("section", { className: "panel" }, parts.headline, parts.legend, parts.list, parts.told, parts.notes)
  const view = { ...parts, frame: el("div", { className: "view surprisals" }, panel) }
  parts.list.onkeydown = event => walk(event, [...parts.list.querySelectorAll("button")], STEPS)
  root.append(view.frame)
  return view
}

function showColumn(item, { same, told, bars }, i, view) {
  const button = item.firstChild, [pillars, names] = button.children
  const choose = () => {
    view.at = i
    view.told.textContent = told
    rove([...view.list.querySelectorAll("button")], i)
  }
  button.onpointerenter = button.onfocus = button.onclick = choose
  button.ariaLabel = told
  item.classList.toggle("differs", !same)
  keep(pillars, bars.length, () => el("span", { className: "pillar" }, el("small"), el("i")))
  bars.forEach(({ shown, height }, which) => {
    const [value, bar] = pillars.children[which].children
    value.textContent = shown
    bar.className = `bar of${which}`
    bar.style.setProperty("--height", height ?? 0)
    bar.hidden = height === null
  })
  const written = same ? bars.slice(0, 1) : bars
  names.replaceChildren(...written.map(({ word }) => el("span", { dir: "auto" }, word ?? "–")))
}
