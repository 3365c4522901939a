// data: { label, colour, tokens: [{ text, kind, id, told }], legend: [{ kind, text }] }

const roots = new WeakMap()

function make() {
  const list = el("ol", { className: "tokens" }), legend = el("ul", { className: "legend" })
  const told = el("p", { className: "note", ariaLive: "polite" })
  return { root: el("div", { className: "view pieces" }, list, told, legend), list, legend, told }
}

export default function ({ data, parentElement }) {
  const view = roots.get(parentElement) ?? make()
  roots.set(parentElement, view)
  if (!view.root.isConnected) parentElement.append(view.root)
  view.root.style.setProperty("--mark", data.colour)
  view.list.ariaLabel = data.label
  keep(view.list, data.tokens.length, () => el("li", {}, el("button", { type: "button" }, el("bdi"))))
  const buttons = [...view.list.querySelectorAll("button")]
  data.tokens.forEach(({ text, kind, id, told }, i) => {
    const button = buttons[i]
    button.className = kind
    button.firstChild.textContent = text
    button.dataset.entry = id  // written by the style sheet: a name has to hold all text that is in sight
    button.ariaLabel = told
    button.onfocus = button.onmouseenter = () => { view.told.textContent = told }
    button.onkeydown = event => walk(event, buttons, { ArrowLeft: -1, ArrowRight: 1, Home: -buttons.length, End: buttons.length })
    button.onclick = () => { rove(buttons, i); button.focus() }
  })
  rove(buttons, 0)
  view.told.textContent = data.tokens[0]?.told ?? ""
  keep(view.legend, data.legend.length, () => el("li", {}, el("i", { ariaHidden: "true" }), el("span")))
  data.legend.forEach(({ kind, text }, i) => {
    const [mark, words] = view.legend.children[i].children
    mark.className = kind
    words.textContent = text
  })
  return () => { view.root.remove(); roots.delete(parentElement) }
}
