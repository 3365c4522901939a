// data: {serial, texts: [[before, word, after]], told: [sentence], words, lines: [{name, ink, colour: {light, dark}, note,
//        points: [{x, layer, y, shown, other, otherShown}]}]}
// In front of this file stand components/shared/elements.js and colours.js, components/sights/tables.js, and plot.js (the lines).

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
    this.tables = new Tables(() => [this.tabulate()])
    this.frame = el("div", { className: "view contexts" }, el("div", { className: "panel" }, this.texts, this.told,
      el("div", { className: "body" }, this.plot.frame, this.legend), this.readout, this.others, this.tables.frame), this.said)
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
    this.tables.update(words.table)
    this.legend.replaceChildren(...lines.map((line, i) => this.name(line, i)))
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
    const { words, lines } = this.data
    return {
      caption: words.chart,
      heads: [words.model, words.layer, words.same, words.different],
      rows: lines.flatMap(({ name, points }) => points.map(({ layer, shown, otherShown }) => [name, layer, shown, otherShown])),
    }
  }
}
