// data: {serial, notice, metric, views: [{name, ink}], words, metrics: [{name, less, note, full, ticks: [{at, shown}],
//        sides and thirds: [{title, scores: [{mean, low, high, shown}]}], verdicts: [{outcome, named, claim, effect, because}]}]}
//   scores stand in the order of the views. -> state "metric"
// In front of this file stand components/shared/elements.js and colours.js, components/sights/choices.js and tables.js, and intervals.js (a chart).

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
    this.choices = new Choices(i => this.choose(i))
    this.charts = [new Intervals(text => this.say(text)), new Intervals(text => this.say(text), true)]
    this.titles = this.charts.map(() => el("h4"))
    this.legend = el("ul", { className: "legend" })
    this.readout = el("p", { className: "readout" })
    this.verdictsTitle = el("h4")
    this.verdicts = el("ul", { className: "verdicts" })
    this.tables = new Tables(() => [this.tabulate()])
    const charts = this.charts.map((chart, i) => el("section", {}, this.titles[i], chart.frame))
    this.frame = el("div", { className: "view both" }, el("div", { className: "panel" }, this.notice, this.choices.frame,
      el("div", { className: "charts" }, ...charts), this.legend, this.readout, this.verdictsTitle, this.verdicts, this.tables.frame))
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
    this.choices.offer(words.choose, metrics.map(({ name }) => ({ text: name })))
    this.titles[0].textContent = words.sides
    this.titles[1].textContent = words.thirds
    this.verdictsTitle.textContent = words.verdicts
    this.legend.replaceChildren(...names.map(({ name, ink }, i) => {
      const sign = shape("svg", { viewBox: "-6 -6 12 12", "aria-hidden": "true" }, signOf(i, 0, 0))
      sign.style.color = ink
      return el("li", {}, sign, el("span", {}, name))
    }))
    this.show()
  }

  choose(i) {
    if (i === this.metric) return
    this.metric = i
    this.show()
    this.setStateValue("metric", i)
  }

  show() {
    const { metrics, words } = this.data, { verdicts } = metrics[this.metric]
    this.choices.mark(this.metric)
    this.verdicts.replaceChildren(...verdicts.map(({ outcome, named, claim, effect, because }) => el("li", {},
      el("span", { className: `outcome ${outcome}` }, el("span", { ariaHidden: "true" }, `${SIGNS[outcome]} `), named),
      el("span", {}, claim, " ", el("small", {}, effect), because ? el("em", {}, because) : ""))))
    this.tables.update(words.table)
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
    const { views: names, words, metrics } = this.data, { sides, thirds, name } = metrics[this.metric], groups = [...sides, ...thirds]
    return {
      caption: name,
      heads: [words.model, ...groups.map(({ title }) => title)],
      rows: names.map((view, i) => [view.name, ...groups.map(({ scores }) => scores[i].shown)]),
    }
  }
}
