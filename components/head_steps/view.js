// data: {serial, colour, step, verdict, caution, full, words, outcomes: [{title, standing, bars}],
//        stages: [{name, formula, size, told, facts: [[name, value]], and one of
//          vector: {values, counts, low, high, ends} with before: {values, low, high, ends} or without it,
//          scores: {counts, marks: [{at, text}], low, high, ends},
//          bars: [{word, value, shown, strong}]}]}
//   -> state "step": the open stage, from 0, once the visitor has stayed with it for a moment
// In front of this file stand components/shared/elements.js and pictures.js (what a stage looks like).

const STAY = 500   // milliseconds; stepping through must not rerun the page each time
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -99, End: 99 }
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new HeadSteps(parentElement, data.step)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class HeadSteps {
  constructor(root, step) {
    this.step = step
    this.tabs = el("div", { className: "chain", role: "tablist" })
    this.tabs.onkeydown = event => walk(event, this.buttons, KEYS)
    this.stage = el("div", { className: "stage", id: "stage", role: "tabpanel" })
    this.back = el("button", { type: "button", className: "turn", onclick: () => this.open(this.step - 1) })
    this.next = el("button", { type: "button", className: "turn", onclick: () => this.open(this.step + 1) })
    this.verdict = el("p", { className: "verdict" })
    this.caution = el("p", { className: "note" })
    this.outcomes = el("div", { className: "outcomes" })
    this.scale = el("p", { className: "note" })
    const turns = el("div", { className: "turns" }, this.back, this.next)
    this.frame = el("div", { className: "view steps" },
      el("section", { className: "panel" }, this.tabs, this.stage, turns),
      el("section", { className: "panel" }, this.verdict, this.outcomes, this.scale, this.caution))
    root.append(this.frame)
  }

  close() {
    clearTimeout(this.timer)
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue })
    const { words, stages } = data
    this.frame.style.setProperty("--mark", data.colour)
    this.tabs.setAttribute("aria-label", words.steps)
    keep(this.tabs, stages.length, () => this.tab())
    this.buttons = [...this.tabs.children]
    this.buttons.forEach((button, i) => {
      button.firstChild.textContent = stages[i].name
      button.lastChild.textContent = stages[i].size
    })
    this.back.textContent = words.back
    this.next.textContent = words.next
    this.verdict.textContent = data.verdict
    this.caution.textContent = data.caution
    this.scale.textContent = words.scale
    this.showOutcomes()
    this.draw()
  }

  tab() {
    const button = el("button", { type: "button", role: "tab", "aria-controls": "stage" },
      el("span", { className: "name" }), el("span", { className: "size" }))
    button.onclick = button.onfocus = () => this.open(this.buttons.indexOf(button))
    return button
  }

  open(step) {
    if (step === this.step || !this.data.stages[step]) return
    this.step = step
    this.draw()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.setStateValue("step", this.step), STAY)
  }

  draw() {
    const stage = this.data.stages[this.step], { words } = this.data
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === this.step))
      button.classList.toggle("done", i < this.step)
    })
    rove(this.buttons, this.step)
    this.back.disabled = this.step === 0
    this.next.disabled = this.step === this.buttons.length - 1
    this.stage.setAttribute("aria-label", stage.name)
    const facts = stage.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))
    this.stage.replaceChildren(
      el("div", { className: "told" }, el("p", { className: "formula", translate: false }, stage.formula), el("p", {}, stage.told)),
      el("div", { className: "pictures" }, ...pictures(stage, words, this.data.full)),
      el("dl", {}, ...facts))
  }

  showOutcomes() {
    const { outcomes, words, full } = this.data
    this.outcomes.replaceChildren(...outcomes.map(({ title, bars, standing }) => el("div", {},
      el("h4", {}, title), barTable(title, bars, words, full), el("p", { className: "standing" }, standing))))
  }
}
