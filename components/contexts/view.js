// data: {serial, texts: [[before, word, after]], told: [sentence], words, lines: [{name, ink, colour: {light, dark}, note,
//        points: [{x, layer, y, shown, other, otherShown}]}]}
// In front of this file stand components/shared/elements.js and colours.js, and plot.js (the lines).

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Contexts(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.close(); views.delete(parentElement) }
}

class Contexts {
  constructor(root) {
    this.root = root
    this.texts = el("ul", { className: "texts" })
    this.told = el("div", { className: "told", role: "status" })
    this.plot = new Plot(x => this.at(x))
    this.legend = el("ul", { className: "legend" })
    this.readout = el("p", { className: "readout" })
    this.said = el("p", { className: "unseen", role: "status" })
    this.others = el("p", { className: "note" })
    this.table = el("details", { className: "note" }, el("summary"), el("div", { className: "scroller" }))
    this.table.ontoggle = () => this.tabulate()
    this.frame = el("div", { className: "view contexts" }, el("div", { className: "panel" }, this.texts, this.told,
      el("div", { className: "body" }, this.plot.frame, this.legend), this.readout, this.others, this.table), this.said)
    root.append(this.frame)
    this.sizes = new ResizeObserver(() => this.draw())
    this.sizes.observe(this.plot.frame)
  }

  close() {
    this.sizes.disconnect()
    this.frame.remove()
  }

  update(data) {
    this.data = data
    const { texts, told, words, lines } = data
    this.texts.replaceChildren(...texts.map(([before, word, after]) => el("li", {}, before, el("mark", {}, word), after)))
    const said = told.join(" ")
    if (this.told.getAttribute("data-said") !== said) this.told.replaceChildren(...told.map(text => el("p", {}, text)))
    this.told.setAttribute("data-said", said)
    this.others.textContent = words.others
    this.table.firstChild.textContent = words.table
    this.table.lastChild.replaceChildren()
    this.legend.replaceChildren(...lines.map((line, i) => this.name(line, i)))
    this.tabulate()
    this.draw()
    this.at(null)
  }

  name({ name, ink, note, points }, i) {
    const who = el("b", {}, name), sign = shape("svg", { viewBox: "-6 -6 12 12", "aria-hidden": "true" }, marker(i, 0, 0))
    who.style.color = sign.style.color = ink
    const row = el("li", {}, sign, who, " ", el("span", {}, note || points.at(-1)?.shown || ""))
    row.onpointerenter = () => this.plot.strong(i)
    row.onpointerleave = () => this.plot.strong(null)
    return row
  }

  draw() {
    if (this.data) this.plot.draw(this.data.lines, this.data.words)
  }

  /** What stands at a layer, of all models; null for nowhere. */
  at(x, aloud = false) {
    const { lines, words } = this.data, found = lines.flatMap(({ name, points }) => points.filter(point => point.x === x).map(point => ({ name, ...point })))
    const values = found.map(({ name, shown }) => fill(words.value, { name, value: shown })).join(words.comma)
    this.readout.textContent = found.length ? fill(words.at, { layer: found[0].layer, values }) : ""
    if (aloud || this.plot.byKey) this.said.textContent = this.readout.textContent
  }

  tabulate() {
    if (!this.table.open || this.table.lastChild.children.length) return
    const { words, lines } = this.data
    const heads = [words.model, words.layer, words.same, words.different].map(text => el("th", { scope: "col" }, text))
    const rows = lines.flatMap(({ name, points }) => points.map(({ layer, shown, otherShown }) =>
      el("tr", {}, el("th", { scope: "row" }, name), ...[layer, shown, otherShown].map(text => el("td", {}, text)))))
    this.table.lastChild.replaceChildren(el("table", {}, el("caption", { className: "unseen" }, words.chart),
      el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)))
    Object.assign(this.table.lastChild, { tabIndex: 0, role: "region", ariaLabel: words.table })
  }
}
