// What the scripts of several components have in common; it stands in front of them.

const SVG = "http://www.w3.org/2000/svg"

/** An element with properties (attributes, where it has no such property) and children. */
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (name in node) node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

/** A shape of a picture. */
function shape(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}

/** A sentence with its braces filled in. */
function fill(template, values) { return template.replace(/\{(\w+)\}/g, (_, name) => values[name]) }

/** Elements are kept from answer to answer: bars glide, nothing flickers, the focus stays where it is. */
function keep(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove()
  while (parent.children.length < count) parent.append(make())
}

/** Rows of a table: a word, its bar, its number. `full` is the value of a full bar. */
function showBars(body, rows, full) {
  keep(body, rows.length, () => el("tr", {}, el("th", { scope: "row" }, el("span"), " ", el("small")),
    el("td", { className: "track", ariaHidden: "true" }, el("i")), el("td", { className: "share" })))
  rows.forEach(({ word, note = "", value, shown, strong = false }, i) => {
    const row = body.children[i], [name, track, number] = row.children
    name.firstChild.textContent = word
    name.lastChild.textContent = note
    row.classList.toggle("strong", strong)
    track.firstChild.style.width = `${Math.min(100, 100 * value / full)}%`
    number.textContent = shown
  })
}

/** Arrow keys, Home and End among buttons of which Tab reaches one; `steps` says where each key leads. */
function walk(event, buttons, steps) {
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const now = buttons.indexOf(event.target.closest("button"))
  buttons[Math.min(buttons.length - 1, Math.max(0, now + step))]?.focus()
}

function rove(buttons, index) {
  buttons.forEach((button, i) => { button.tabIndex = i === index ? 0 : -1 })
}
