// data: {serial, notice, metric, views: [{name, ink}], words, metrics: [{name, less, note, full, ticks: [{at, shown}],
//        sides and thirds: [{title, scores: [{mean, low, high, shown}]}], verdicts: [{outcome, named, claim, effect, because}]}]}
//   scores stand in the order of the views. -> state "metric"
// In front of this file stand components/shared/elements.js and colours.js, and intervals.js (a chart).

const views = new WeakMap()
const SIGNS = { supported: "✓", "within-noise": "≈", opposite: "✗" }

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new BothSides(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class BothSides {
  constructor(root, { metric }) {
    this.metric = metric
    this.notice = el("p", { className: "notice" })
    this.choices = el("div", { className: "choices", role: "radiogroup" })
    this.charts = [new Intervals(text => this.say(text)), new Intervals(text => this.say(text), true)]
    this.titles = this.charts.map(() => el("h4"))
    this.legend = el("ul", { className: "legend" })
    this.readout = el("p", { className: "readout" })
    this.verdictsTitle = el("h4")
    this.verdicts = el("ul", { className: "verdicts" })
    this.table = el("details", { className: "note" }, el("summary"), el("div", { className: "scroller" }))
    this.table.ontoggle = () => this.tabulate()
    const charts = this.charts.map((chart, i) => el("section", {}, this.titles[i], chart.frame))
    this.frame = el("div", { className: "view both" }, el("div", { className: "panel" }, this.notice, this.choices,
      el("div", { className: "charts" }, ...charts), this.legend, this.readout, this.verdictsTitle, this.verdicts, this.table))
    root.append(this.frame)
    this.sizes = new ResizeObserver(() => this.draw())
    this.sizes.observe(this.frame)
  }

  close() {
    this.sizes.disconnect()
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue })
    const { words, metrics, views: names } = data
    this.metric = Math.min(this.metric, metrics.length - 1)
    this.notice.textContent = data.notice
    this.choices.ariaLabel = words.choose
    keep(this.choices, metrics.length, () => el("button", { type: "button", className: "pill", role: "radio" }))
    this.buttons = [...this.choices.children]
    this.buttons.forEach((button, i) => {
      button.textContent = metrics[i].name
      button.onclick = () => this.choose(i)
    })
    this.choices.onkeydown = event => {
      walk(event, this.buttons, { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -9, End: 9 })
      if (event.defaultPrevented) this.choose(this.buttons.indexOf(this.choices.getRootNode().activeElement))
    }
    this.titles[0].textContent = words.sides
    this.titles[1].textContent = words.thirds
    this.verdictsTitle.textContent = words.verdicts
    this.table.firstChild.textContent = words.table
    this.legend.replaceChildren(...names.map(({ name, ink }, i) => {
      const sign = shape("svg", { viewBox: "-6 -6 12 12", "aria-hidden": "true" }, signOf(i, 0, 0))
      sign.style.color = ink
      return el("li", {}, sign, el("span", {}, name))
    }))
    this.show()
  }

  choose(i) {
    if (i < 0 || i === this.metric) return
    this.metric = i
    this.show()
    this.setStateValue("metric", i)
  }

  show() {
    const { metrics } = this.data, { verdicts } = metrics[this.metric]
    this.buttons.forEach((button, i) => { button.ariaChecked = String(i === this.metric) })
    rove(this.buttons, this.metric)
    this.verdicts.replaceChildren(...verdicts.map(({ outcome, named, claim, effect, because }) => el("li", {},
      el("span", { className: `outcome ${outcome}` }, el("span", { ariaHidden: "true" }, `${SIGNS[outcome]} `), named),
      el("span", {}, claim, " ", el("small", {}, effect), because ? el("em", {}, because) : ""))))
    this.table.lastChild.replaceChildren()
    this.tabulate()
    this.say("")
    this.draw()
  }

  say(text) {
    const { metrics, words } = this.data
    this.readout.textContent = text || [metrics[this.metric].note, words.whisker].filter(Boolean).join(" ")
  }

  draw() {
    if (!this.data) return
    const { views: names, metrics, words } = this.data, metric = metrics[this.metric]
    this.charts[0].draw(metric.sides, names, metric, words)
    this.charts[1].draw(metric.thirds, names, metric, words)
  }

  tabulate() {
    if (!this.table.open || this.table.lastChild.children.length) return
    const { views: names, words, metrics } = this.data, { sides, thirds, name } = metrics[this.metric], groups = [...sides, ...thirds]
    const heads = [words.model, ...groups.map(({ title }) => title)].map(text => el("th", { scope: "col" }, text))
    const rows = names.map((view, i) => el("tr", {}, el("th", { scope: "row" }, view.name), ...groups.map(({ scores }) => el("td", {}, scores[i].shown))))
    this.table.lastChild.replaceChildren(el("table", {}, el("caption", { className: "unseen" }, name), el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)))
    Object.assign(this.table.lastChild, { tabIndex: 0, role: "region", ariaLabel: words.table })
  }
}
