// data: {serial, rows, frame: [first, last row of a layer], turn, open, models: [{name, model, family, note, mark, ink, told, gives, lanes: [{name, times}],
//        cells: [{id, row, sort, name, size, lane, wide, fates: {gesture: kept|moved|gone|added}}]}],
//        gestures: [{name, label, title, lane, ink, mark, added: [cell], told: [text]}], words, values (float32 column, -1..1),
//        detail: null or {title, formula, told, layers, layer, facts, tensors: [{name, shape, size, start, signed, rows, columns, facts, scale, alt}], weights, code, colour}}
//   -> states "open" ("seq/decoder/cross/2", "" if closed) and "turn" (a gesture's name, "")
// In front of this file stand components/shared, sights/choices.js and tables.js, diagram.js (one model) and opening.js (the open block).

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Blocks(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class Blocks {
  constructor(root, { turn }) {
    Object.assign(this, { root, turn, asked: false })
    this.gestures = el("div", { className: "gestures", role: "group" })
    this.title = el("p", { className: "turn-title" })
    this.told = el("ul", { className: "told-turn" })
    this.said = el("div", { className: "said", role: "status" }, this.title, this.told)
    this.models = el("div", { className: "models" })
    this.hint = el("p", { className: "note hint" })
    this.opening = new Opening(root, () => this.open(""), i => this.open(`${this.id}/${i + 1}`))
    this.frame = el("div", { className: "view blocks" }, this.gestures, this.said, this.models, this.hint, this.opening.frame)
    root.append(this.frame)
    this.diagrams = []
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue, id: data.open })
    const { models, gestures, words } = data
    while (this.diagrams.length > models.length) this.diagrams.pop().frame.remove()
    while (this.diagrams.length < models.length) {
      this.diagrams.push(new Diagram(id => this.open(id), event => this.go(event)))
      this.models.append(this.diagrams.at(-1).frame)
    }
    const focused = this.root.activeElement?.dataset?.id
    this.diagrams.forEach((diagram, i) => diagram.update(models[i], data))
    this.buttons = this.diagrams.flatMap(({ buttons }) => buttons)
    if (!gestures.some(({ name }) => name === this.turn)) this.turn = ""
    this.offer(gestures, words)
    this.hint.textContent = [words.legend, data.detail ? "" : words.hint].filter(Boolean).join(" ")
    this.opening.update(data.detail, column(data.values ?? empty), words)
    this.mark(data.open)
    this.apply()
    if (focused) this.buttons.find(({ dataset }) => dataset.id === focused)?.focus({ preventScroll: true })
    if (this.asked && data.detail) this.opening.frame.scrollIntoView({ block: "nearest" })
    this.asked = false
  }

  offer(gestures, words) {
    this.gestures.ariaLabel = words.gestures
    this.gestures.hidden = !gestures.length
    const buttons = [...gestures, { name: "", label: words.whole }]
    keep(this.gestures, buttons.length, () => el("button", { type: "button", className: "pill" }))
    this.ways = buttons.map(({ name, label }, i) => {
      const button = this.gestures.children[i]
      button.textContent = label
      button.onclick = () => this.turns(this.turn === name ? "" : name)
      return { name, button }
    })
  }

  turns(name) {
    this.turn = name
    this.apply()
    this.setStateValue("turn", name)
  }

  /** Shows what the gesture does, to the Transformer and to the model it becomes. */
  apply() {
    const gesture = this.data.gestures.find(({ name }) => name === this.turn)
    this.diagrams.forEach(diagram => diagram.turn(this.turn))
    this.ways.forEach(({ name, button }) => {
      if (name) button.ariaPressed = String(name === this.turn)
      else button.disabled = !gesture
    })
    this.title.textContent = gesture?.title ?? ""
    this.told.replaceChildren(...(gesture?.told ?? []).map(text => el("li", {}, text)))
    this.said.hidden = !gesture
  }

  open(id) {
    if (id && id === this.id) id = ""   // the open one is closed by the same button
    this.asked = Boolean(id)
    if (!id) this.buttons.find(({ dataset }) => dataset.id === this.id)?.focus()
    this.mark(id)
    this.setStateValue("open", id)
  }

  mark(id) {
    const at = id.split("/").slice(0, 3).join("/")
    this.buttons.forEach(button => { button.ariaExpanded = String(button.dataset.id === at) })
    rove(this.buttons, Math.max(0, this.buttons.findIndex(({ dataset }) => dataset.id === at)))
  }

  go(event) {
    const way = WAYS[event.key], from = event.target.closest("button")
    if (!way || !from || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const to = neighbour(from, this.buttons, way)
    if (!to) return
    rove(this.buttons, this.buttons.indexOf(to))
    to.focus()
  }
}

const empty = { getChildAt: () => null }
