// data: {serial, key, sort, only: names or "", colour: {light, dark}, title, layers, heads, rows, columns, levels, scales, open: [[layer, head]],
//        measures: [{name, title, order: [index, the best first], shown: [text]}], flags: [{name, sign, title, heads: [index]}],
//        told: [text per head], words, means, meanScales: null where no cell stands for several weights}; levels and means (bytes) and scales (float32) are columns of numbers
//   Selection stays here: "unmask:heads" tells components of the same key which heads were opened, with their weights
//   as far as bytes tell; "unmask:opened" from them says which really are.
// In front of this file stand the scripts of components/shared, and thumbnails.js (the canvas).

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Heads(parentElement, data)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.close(); views.delete(parentElement) }
}

class Heads {
  constructor(root, { open, sort, only, measures, flags }) {
    const named = name => each => each.name === name
    Object.assign(this, { root, open, sort: 1 + measures.findIndex(named(sort)), flag: flags.findIndex(named(only)), mixing: false, mean: false, stop: new AbortController() })
    this.title = el("h3")
    this.sorting = el("select", { onchange: () => { this.sort = this.sorting.selectedIndex; this.draw() } })
    this.label = el("label", { className: "sorting" }, el("span"), this.sorting)
    this.mix = el("button", { type: "button", className: "pill", onclick: () => this.mixes(!this.mixing) })
    this.flags = el("div", { className: "flags", role: "group" })
    this.canvas = el("canvas", { ariaHidden: "true" })
    this.cells = el("div", { className: "cells", role: "group" })
    this.numbers = el("div", { className: "numbers", ariaHidden: "true" })
    this.board = el("div", { className: "board" }, this.canvas, this.numbers, this.cells)
    this.readout = el("p", { className: "readout" })
    this.scale = el("p", { className: "note scale" })
    this.pool = el("select", { onchange: () => { this.mean = this.pool.selectedIndex === 1; this.weigh(); this.draw() } })
    this.pooled = el("label", { className: "note sorting" }, el("span"), this.pool)
    this.table = el("details", { className: "note" }, el("summary"), el("div", { className: "scroller" }))
    this.table.ontoggle = () => this.tabulate()
    const bar = el("div", { className: "bar" }, this.title, this.label)
    const tools = el("div", { className: "tools" }, this.flags, this.mix)
    this.frame = el("div", { className: "view heads" }, el("section", { className: "panel" }, bar, tools, this.board,
      this.readout, this.scale, this.pooled, this.table))
    root.append(this.frame)
    this.listen()
  }

  listen() {
    this.cells.onclick = event => this.choose(this.at(event), event.ctrlKey || event.metaKey || this.mixing)
    this.cells.onpointerover = event => this.say(this.at(event))
    this.cells.onpointerleave = () => this.say(-1)
    this.cells.addEventListener("focusin", event => { this.say(this.at(event)); rove(this.placed, this.placed.indexOf(event.target)) })
    this.cells.onkeydown = event => walk(event, this.placed, this.steps())
    hear(this, "opened", () => this.data.key, ({ heads }) => this.mark(heads))
    this.sizes = new ResizeObserver(() => { if (this.board.clientWidth !== this.drawn) this.draw() })
    this.sizes.observe(this.board)
  }

  close() {
    for (const name of ["head", "sort", "only"]) linked(name, null)
    this.stop.abort()
    this.sizes.disconnect()
    this.frame.remove()
  }

  update(data) {
    const { words } = data
    Object.assign(this, { data, colours: ramp(this.root, data.colour) })   // asked first: after changes it waits for the whole page
    this.weigh()
    this.frame.style.setProperty("--mark", data.colour.light)
    this.title.textContent = data.title
    this.label.firstChild.textContent = words.sort
    const names = [words.inOrder, ...data.measures.map(({ title }) => title)]
    this.sorting.replaceChildren(...names.map(name => el("option", {}, name)))
    this.sort = Math.min(this.sort, names.length - 1)
    this.sorting.selectedIndex = this.sort
    this.mix.textContent = words.mix
    this.mix.title = words.mixHint
    this.mixes(this.mixing)
    this.flags.ariaLabel = words.flags
    if (this.flag >= data.flags.length) this.flag = -1
    this.flags.replaceChildren(...data.flags.map((flag, i) => this.chip(flag, i)))
    this.pooled.firstChild.textContent = words.sharing
    if (!this.pool.options.length) this.pool.append(el("option", {}, words.largest), el("option", {}, words.mean))
    this.cells.ariaLabel = data.title
    keep(this.cells, data.layers * data.heads, () => el("button", { type: "button" }, el("span")))
    this.buttons = [...this.cells.children]
    this.buttons.forEach((button, i) => { button.ariaLabel = data.told[i] })
    this.table.firstChild.textContent = words.table
    this.table.lastChild.replaceChildren()
    this.tabulate()
    this.open = this.open.filter(([layer, head]) => layer < data.layers && head < data.heads)
    this.draw()
    this.legend()
  }

  /** Which bytes are drawn: of blocks, their largest weights or their means. */
  weigh() {
    const { data, mean } = this, some = mean && data.means ? ["means", "meanScales"] : ["levels", "scales"]
    ;[this.levels, this.scales] = some.map(name => column(data[name]))
  }

  chip({ sign, title, heads }, i) {
    const chip = el("button", { type: "button", className: "pill", ariaPressed: String(i === this.flag) },
      el("span", { ariaHidden: "true" }, `${sign} `), `${title} `, el("b", {}, String(heads.length)))
    chip.onclick = () => {
      this.flag = this.flag === i ? -1 : i
      ;[...this.flags.children].forEach((each, j) => { each.ariaPressed = String(j === this.flag) })
      this.draw()
    }
    return chip
  }

  /** Which heads are shown, in which order; in the order of layers every one keeps its place. */
  order() {
    const kept = this.flag < 0 ? null : new Set(this.data.flags[this.flag].heads)
    if (!this.sort) return this.buttons.map((_, i) => ({ i, dim: kept !== null && !kept.has(i) }))
    return this.data.measures[this.sort - 1].order.filter(i => !kept || kept.has(i)).map(i => ({ i, dim: false }))
  }

  draw() {
    if (!this.data || !this.board.clientWidth) return
    const shown = this.order(), layout = new Layout(this.board.clientWidth, this.data, shown.length, this.sort > 0)
    this.drawn = this.board.clientWidth
    this.layout = layout
    paint(this.canvas, layout, shown, this, this.colours)
    this.cells.style.height = `${layout.height}px`
    this.placed = shown.map(({ i }) => this.buttons[i])
    this.buttons.forEach(button => { button.hidden = true })
    this.pooled.hidden = !this.data.means && layout.dots >= Math.max(this.data.rows, this.data.columns)
    this.numbers.hidden = !layout.edge
    if (layout.edge) this.edge(layout)
    shown.forEach(({ i, dim }, place) => {
      const button = this.buttons[i], { x, y } = layout.at(place)
      Object.assign(button, { hidden: false, disabled: dim })
      button.style.cssText = `left:${x}px;top:${y}px;width:${layout.side}px;height:${layout.side}px`
      button.firstChild.textContent = this.sort ? `${Math.floor(i / this.data.heads) + 1}·${i % this.data.heads + 1}` : ""
    })
    this.placed = this.placed.filter(button => !button.disabled)
    linked("sort", this.sort ? this.data.measures[this.sort - 1].name : null)
    linked("only", this.data.flags[this.flag]?.name ?? null)
    this.mark(this.open)
  }

  /** The numbers of the layers. */
  edge(layout) {
    keep(this.numbers, layout.rows, () => el("span"))
    ;[...this.numbers.children].forEach((name, row) => {
      name.textContent = row + 1
      name.style.top = `${row * layout.down + layout.side / 2}px`
    })
  }

  steps() {
    const row = this.layout.columns, last = this.placed.length
    return { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -last, End: last }
  }

  at(event) { return this.buttons.indexOf(event.target.closest(".cells button")) }

  say(i) {
    const told = i >= 0 ? this.data.told[i] : this.open.length === 1 ? this.data.told[this.index(this.open[0])] : this.data.words.hint
    this.readout.textContent = told
  }

  index([layer, head]) { return layer * this.data.heads + head }

  mark(heads) {
    this.open = heads
    linked("head", heads.map(([layer, head]) => `${layer + 1}.${head + 1}`).join())
    const open = new Set(heads.map(each => this.index(each)))
    this.buttons.forEach((button, i) => { button.ariaPressed = String(open.has(i)) })
    rove(this.placed, Math.max(0, this.placed.findIndex(button => button.ariaPressed === "true")))
    this.say(-1)
  }

  mixes(on) {
    this.mixing = on
    this.mix.ariaPressed = String(on)
  }

  /** Open a head, or put it among several that are mixed, or take it out of them. */
  choose(i, together) {
    if (i < 0) return
    const one = [Math.floor(i / this.data.heads), i % this.data.heads], rest = this.open.filter(each => this.index(each) !== i)
    const heads = !together ? [one] : rest.length === this.open.length ? [...rest, one] : rest.length ? rest : [one]
    this.mark(heads)
    tell("heads", { key: this.data.key, heads, ...this.roughly(heads) })
  }

  /** The mean of some heads, as far as bytes tell; nothing where a cell stands for several weights. */
  roughly(heads) {
    const { rows, columns, words } = this.data
    if (words.blocks) return {}
    const weights = new Float32Array(rows * columns)
    for (const head of heads) {
      const at = this.index(head)
      for (let j = 0; j < weights.length; j++) {
        weights[j] += this.levels[at * weights.length + j] * this.scales[at * rows + Math.floor(j / columns)] / heads.length
      }
    }
    return { rows, columns, weights }
  }

  legend() {
    const { colours, data: { words } } = this
    const samples = [0, 0.01, 0.1, 0.5, 1].map((weight, i) => {
      const patch = el("i", { ariaHidden: "true" })
      patch.style.background = css(colours.at(weight))
      return el("span", { className: "sample" }, patch, words.samples[i])
    })
    this.scale.replaceChildren(el("span", {}, words.scale), ...samples, ...words.blocks ? [el("span", {}, words.blocks)] : [])
  }

  /** All measures of all heads; made when somebody opens it. */
  tabulate() {
    if (!this.table.open || this.table.lastChild.children.length) return
    const { words, measures, heads, layers, title } = this.data
    const head = [words.layer, words.head, ...measures.map(each => each.title)].map(text => el("th", { scope: "col" }, text))
    const rows = Array.from({ length: layers * heads }, (_, i) => el("tr", {}, el("th", { scope: "row" }, String(Math.floor(i / heads) + 1)),
      ...[String(i % heads + 1), ...measures.map(({ shown }) => shown[i])].map(text => el("td", {}, text))))
    this.table.lastChild.replaceChildren(el("table", {}, el("caption", { className: "unseen" }, title),
      el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)))
    Object.assign(this.table.lastChild, { tabIndex: 0, role: "region", ariaLabel: words.table })
  }
}
