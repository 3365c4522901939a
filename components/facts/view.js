// data: { label, colour, facts: [{name, value, told}] }

const lists = new WeakMap()

export default function ({ data, parentElement }) {
  const list = lists.get(parentElement) ?? el("dl", { className: "view facts" })
  lists.set(parentElement, list)
  if (!list.isConnected) parentElement.append(list)
  list.ariaLabel = data.label
  list.style.setProperty("--mark", data.colour)
  keep(list, data.facts.length, () =>
    el("div", { className: "panel" }, el("dt"), el("dd", { className: "value" }), el("dd", { className: "note" })))
  data.facts.forEach(({ name, value, told }, i) => {
    [name, value, told].forEach((text, part) => { list.children[i].children[part].textContent = text })
  })
  return () => { list.remove(); lists.delete(parentElement) }
}
