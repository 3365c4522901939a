// data: {serial, colour, tokens: [text], token, layers, layer, step, values (float32 column, -1..1), words,
//        steps: [{name, formula, told, rows: [{name, start, count, parts, shown}], grid: null or {columns, here, rows: [{name, cells, shades}]}, bars: [{word, value, shown}]}]}
//   -> states "token", "layer" (a new way), "step" (once the visitor has stayed with it for a moment); all from 0
// In front of this file stand components/shared and sights/choices.js.

const STAY = 500   // milliseconds; stepping through must not rerun the page each time
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 }
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new TokenPath(parentElement, data.step)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class TokenPath {
  constructor(root, step) {
    Object.assign(this, { root, step })
    const choice = name => new Choices(i => { if (i !== this.data[name]) this.setStateValue(name, i) })
    this.choices = { token: choice("token"), layer: choice("layer") }
    this.labels = Object.fromEntries(Object.keys(this.choices).map(name => [name, el("span", { className: "label" })]))
    const asks = Object.entries(this.choices).map(([name, { frame }]) => el("div", { className: `asks ${name}` }, this.labels[name], frame))
    this.chain = el("div", { className: "chain", role: "group" })
    this.chain.onkeydown = event => walk(event, this.buttons, KEYS)
    this.stage = el("div", { className: "stage", id: "path-stage", role: "group" })
    this.back = el("button", { type: "button", className: "pill", onclick: () => this.open(this.step - 1) })
    this.next = el("button", { type: "button", className: "pill", onclick: () => this.open(this.step + 1) })
    this.frame = el("div", { className: "view path" }, el("div", { className: "choose" }, ...asks),
      el("section", { className: "panel" }, this.chain, this.stage, el("div", { className: "turns" }, this.back, this.next)))
    root.append(this.frame)
  }

  close() {
    clearTimeout(this.timer)
    this.frame.remove()
  }

  update(data, setStateValue) {
    // Another model has other steps: the one of the same name stays open.
    const name = this.data?.steps[this.step]?.name
    const again = data.steps.findIndex(step => step.name === name)
    if (this.data && this.data.steps.length !== data.steps.length && again >= 0) this.step = again
    Object.assign(this, { data, setStateValue, values: column(data.values) })
    const { words, tokens, layers } = data
    this.step = Math.min(this.step, data.steps.length - 1)
    this.frame.style.setProperty("--mark", data.colour.light)
    for (const name of Object.keys(this.labels)) this.labels[name].textContent = words[name]
    this.choices.token.offer(words.token, tokens.map(text => ({ text, kind: text.startsWith("[") ? "special" : "" })))
    this.choices.layer.offer(words.layer, Array.from({ length: layers }, (_, i) => ({ text: String(i + 1) })))
    for (const [name, choice] of Object.entries(this.choices)) choice.mark(data[name])
    this.chain.ariaLabel = words.steps
    keep(this.chain, data.steps.length, () => this.tab())
    this.buttons = [...this.chain.children]
    this.buttons.forEach((button, i) => { button.lastChild.textContent = data.steps[i].name })
    this.back.textContent = words.back
    this.next.textContent = words.next
    this.draw()
  }

  tab() {
    const button = el("button", { type: "button", "aria-controls": "path-stage" }, el("b", {}, String(this.chain.children.length + 1)), " ", el("span"))
    button.onclick = button.onfocus = () => this.open(this.buttons.indexOf(button))
    return button
  }

  open(step) {
    if (step === this.step || !this.data.steps[step]) return
    this.step = step
    this.draw()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.setStateValue("step", this.step), STAY)
  }

  draw() {
    const step = this.data.steps[this.step], { words } = this.data
    this.buttons.forEach((button, i) => {
      button.ariaCurrent = i === this.step ? "step" : "false"
      button.classList.toggle("done", i < this.step)
    })
    rove(this.buttons, this.step)
    this.back.disabled = this.step === 0
    this.next.disabled = this.step === this.buttons.length - 1
    this.stage.ariaLabel = step.name
    this.stage.replaceChildren(el("p", { className: "formula", translate: false }, step.formula), el("p", { className: "told" }, step.told),
      ...step.rows.map(row => this.vector(row)), ...step.grid ? [this.grid(step)] : [], ...step.bars.length ? [this.bars(step, words)] : [])
  }

  /** Each number as a column of its own, upwards or downwards from 0; heads told apart. */
  vector({ name, start, count, parts, shown }) {
    const columns = Array.from(this.values.subarray(start, start + count), (value, i) => `M${i} 50V${(50 - 48 * value).toFixed(1)}h.85V50z`).join("")
    const bounds = Array.from({ length: parts - 1 }, (_, i) => `M${(i + 1) * count / parts} 0V100`).join("")
    const svg = shape("svg", { viewBox: `0 0 ${count} 100`, preserveAspectRatio: "none", role: "img", "aria-label": fill(this.data.words.strip, { name, shown }) },
      shape("path", { class: "zero", d: `M0 50H${count}${bounds}` }), shape("path", { class: "mark", d: columns }))
    return el("figure", {}, el("figcaption", {}, el("b", {}, name), " ", el("small", {}, shown)), svg)
  }

  grid({ name, grid: { columns, rows, here } }) {
    const { words } = this.data, caption = fill(words.grid, { name })
    const head = el("tr", {}, el("th", { scope: "col" }, words.head), ...columns.map((text, i) => el("th", { scope: "col", className: i === here ? "here" : "" }, text)))
    const body = rows.map(({ name, cells, shades }) => el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((text, i) => {
      const cell = el("td", { className: shades[i] === null ? "masked" : "" }, text)
      cell.style.setProperty("--shade", `${Math.round(42 * (shades[i] ?? 0))}%`)
      return cell
    })))
    return el("div", { className: "scroller", tabIndex: 0, role: "region", ariaLabel: caption },
      el("table", { className: "grid" }, el("caption", { className: "unseen" }, caption), el("thead", {}, head), el("tbody", {}, ...body)))
  }

  bars({ name, bars }, words) {
    const body = el("tbody"), heads = [words.word, "", words.value].map(text => text ? el("th", { scope: "col" }, text) : el("td"))
    showBars(body, bars, 1)
    return el("table", { className: "bars" }, el("caption", { className: "unseen" }, name),
      el("colgroup", {}, ...["word", "bar", "share"].map(className => el("col", { className }))), el("thead", { className: "unseen" }, el("tr", {}, ...heads)), body)
  }
}
