// data: {serial, colour, headline, names, label, neurons: [{name, share, tokens: [{text, level, told, here}], words: [text]}]}
// In front of this file stands components/shared/elements.js.

export default function ({ data, parentElement }) {
  let frame = parentElement.querySelector(".neurons")
  if (!frame) parentElement.append(frame = el("div", { className: "view neurons" }))
  frame.style.setProperty("--mark", data.colour)
  const heads = data.names.map(name => el("th", { scope: "col" }, name))
  const table = el("table", {}, el("caption", { className: "unseen" }, data.label), el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...data.neurons.map(row)))
  frame.replaceChildren(el("section", { className: "panel" }, el("p", { className: "headline" }, data.headline), table))
  return () => frame.remove()
}

function row({ name, share, tokens, words }) {
  return el("tr", {}, el("th", { scope: "row" }, name, el("small", {}, share)),
    el("td", { className: "tokens", translate: false }, ...tokens.map(token)),
    el("td", { className: "words", translate: false }, ...words.map(text => el("span", {}, text))))
}

function token({ text, level, told, here }) {
  const chip = el("span", { className: here ? "here" : "", title: told }, text, el("span", { className: "unseen" }, ` ${told}`))
  const line = el("i", { ariaHidden: "true" })
  line.style.width = `${100 * level}%`
  chip.append(line)
  return chip
}
