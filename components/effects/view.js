// data: {serial, key, colour, headline, layers, heads, shares: [-1..1 or null], told: [text per head], words}
//   Choosing a cell tells "unmask:heads", as the thumbnails of the same key do; "unmask:opened" comes back.
// In front of this file stand the scripts of components/shared.

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Effects(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.close(); views.delete(parentElement) }
}

class Effects {
  constructor(root) {
    Object.assign(this, { root, open: [], stop: new AbortController() })
    this.headline = el("p", { className: "headline" })
    this.edge = el("div", { className: "edge", ariaHidden: "true" })
    this.cells = el("div", { className: "cells", role: "group" })
    this.readout = el("p", { className: "readout" })
    this.scale = el("p", { className: "note scale" })
    this.frame = el("div", { className: "view effects" }, el("section", { className: "panel" }, this.headline,
      el("div", { className: "board" }, this.edge, this.cells), this.readout, this.scale))
    root.append(this.frame)
    this.cells.onclick = event => this.choose(this.at(event))
    this.cells.onpointerover = event => this.say(this.at(event))
    this.cells.onpointerleave = () => this.say(-1)
    this.cells.addEventListener("focusin", event => { this.say(this.at(event)); rove(this.buttons, this.at(event)) })
    this.cells.onkeydown = event => walk(event, this.buttons, this.steps())
    hear(this, "opened", () => this.data.key, ({ heads }) => this.mark(heads))
  }

  close() {
    this.stop.abort()
    this.frame.remove()
  }

  update(data) {
    this.data = data
    const colour = diverging(this.root), { layers, heads, words } = data
    this.frame.style.setProperty("--mark", data.colour)
    this.headline.textContent = data.headline
    this.cells.ariaLabel = words.map
    this.cells.style.gridTemplateColumns = `repeat(${heads}, minmax(0, 1fr))`
    this.edge.replaceChildren(...Array.from({ length: layers }, (_, i) => el("span", {}, String(i + 1))))
    keep(this.cells, layers * heads, () => el("button", { type: "button" }))
    this.buttons = [...this.cells.children]
    this.buttons.forEach((button, i) => {
      button.ariaLabel = data.told[i]
      button.style.background = css(colour(data.shares[i] ?? NaN))
    })
    const samples = [-1, 0, 1].map((share, i) => {
      const patch = el("i", { ariaHidden: "true" })
      patch.style.background = css(colour(share))
      return el("span", { className: "sample" }, patch, words.samples[i])
    })
    this.scale.replaceChildren(...samples)
    this.mark(data.open.length ? data.open : this.open)
  }

  steps() {
    const row = this.data.heads, last = this.buttons.length
    return { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -last, End: last }
  }

  at(event) { return this.buttons.indexOf(event.target.closest("button")) }
  index([layer, head]) { return layer * this.data.heads + head }
  say(i) { this.readout.textContent = i >= 0 ? this.data.told[i] : this.open.length ? this.data.told[this.index(this.open[0])] : "" }

  mark(heads) {
    this.open = heads.filter(each => this.index(each) < this.buttons.length)
    const open = new Set(this.open.map(each => this.index(each)))
    this.buttons.forEach((button, i) => { button.ariaPressed = String(open.has(i)) })
    rove(this.buttons, Math.max(0, this.buttons.findIndex(button => button.ariaPressed === "true")))
    this.say(-1)
  }

  choose(i) {
    if (i < 0) return
    const heads = [[Math.floor(i / this.data.heads), i % this.data.heads]]
    this.mark(heads)
    tell("heads", { key: this.data.key, heads })
  }
}
