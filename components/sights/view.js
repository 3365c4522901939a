// data: {serial, name, changeable: [{id, text, kind}], changed: index, values (float32 column), allowed (column of bytes), headline, passed, words,
//        models: [{name, model, ink, colour: {light, dark}, note,
//                  panes: [{title, rows: [{id, text, kind, joins}], columns: [{id, text, kind}], check, passed, moving}]}]}
//   name: of the picture, the same as long as nothing of it changes; values and allowed hold all panes one after the other, row by row. -> state "changed": which word was chosen
// In front of this file stand components/shared/elements.js and colours.js, choices.js, lane.js, tables.js and tile.js.

const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Sights(parentElement)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

/** One matrix of one model, as the lanes and the tiles ask about it. */
class Pane {
  constructor(model, pane, words, numbers) { Object.assign(this, pane, { model, words, ...numbers }) }
  value(i, j) { return this.values[i * this.columns.length + j] }
  may(i, j) { return this.allowed[i * this.columns.length + j] > 0 }

  shown(i, j) {
    const value = this.value(i, j), { zero, never, leak } = this.words
    if (value === 0) return this.may(i, j) ? zero : never
    const text = !Number.isFinite(value) ? String(value) : value < 1e-4 ? value.toExponential(2) : `${(100 * value).toPrecision(4)}%`
    return this.may(i, j) ? text : fill(leak, { value: text })
  }
}

class Sights {
  constructor(root) {
    Object.assign(this, { root, tiles: [], lanes: [], pinned: { column: null, row: null }, pointed: {} })
    this.headline = el("p", { className: "headline" }, el("span", { ariaHidden: "true" }), el("span"))
    this.title = el("h3")
    this.choices = new Choices(i => this.pin({ column: this.data.changeable[i].id, row: null }))
    this.list = el("div", { className: "lanes", ariaHidden: "true" })
    this.grid = el("div", { className: "tiles" })
    this.legend = el("div", { className: "tile legend" })
    this.tables = new Tables(() => this.panes.map(pane => this.tabulate(pane)))
    this.said = el("p", { className: "unseen", role: "status" })
    const top = el("section", { className: "panel top" }, this.title, this.choices.frame, this.list)
    this.frame = el("div", { className: "view sights" }, this.headline, top, this.grid, this.tables.frame, this.said)
    root.append(this.frame)
    this.calls = {
      words: () => this.data.words,
      point: cell => { this.pointed = cell; this.light() },
      pin: cell => this.pin(cell),
      say: text => { this.said.textContent = text },
    }
  }

  close() {
    this.tiles.forEach(tile => tile.close())
    this.frame.remove()
  }

  update(data, setStateValue) {
    const same = this.data?.name === data.name
    Object.assign(this, { data, setStateValue })
    if (same) return this.draw()   // another theme, or a choice that is known here already
    this.panes = panesOf(data)
    const { words, changeable, changed } = data
    this.headline.hidden = !data.headline
    this.headline.classList.toggle("bad", !data.passed)
    this.headline.firstChild.textContent = data.passed ? "✓ " : "✗ "
    this.headline.lastChild.textContent = data.headline
    this.pinned = { column: changeable[changed]?.id ?? null, row: null }
    this.pointed = {}
    this.choose()
    this.build()
    this.draw()
    this.tables.update(words.table)
  }

  /** The words that can change; to point at one is enough to see what it does. */
  choose() {
    const { changeable, words } = this.data
    this.choices.offer(words.change, changeable)
    this.choices.buttons.forEach((button, i) => {
      button.onpointerenter = () => this.calls.point({ column: changeable[i].id, row: null })
      button.onpointerleave = () => this.calls.point({})
    })
  }

  build() {
    this.tiles.forEach(tile => tile.close())
    this.list.replaceChildren()
    this.grid.replaceChildren()
    this.lanes = this.panes.map(pane => new LaneRow(this.list, pane, this.calls))
    this.tiles = this.panes.map(pane => new Tile(this.grid, pane, this.calls))
    for (const { name, note } of this.data.models.filter(({ note }) => note)) {
      this.grid.append(el("div", { className: "tile" }, el("b", {}, name), el("p", { className: "note" }, note)))
    }
    this.grid.append(this.legend)
    const most = Math.max(0, ...this.panes.map(({ columns }) => columns.length))
    this.grid.classList.toggle("long", most > 18)
  }

  draw() {
    this.colours = new Map(this.data.models.map(model => [model.name, ramp(this.root, model.colour)]))
    this.tiles.forEach(tile => tile.draw(this.colours.get(tile.pane.model.name)))
    this.light()
    this.explain()
  }

  light() {
    const column = this.pointed.column ?? this.pinned.column
    const row = this.pointed.column ? this.pointed.row : this.pinned.row
    this.lanes.forEach(lane => lane.light(column, row, this.colours.get(lane.pane.model.name)))
    this.tiles.forEach(tile => tile.light(column, row))
    const { changeable, words } = this.data, at = changeable.findIndex(({ id }) => id === this.pinned.column)
    const now = this.panes.flatMap(({ columns }) => columns).find(({ id }) => id === column)
    this.title.textContent = now ? fill(words.asked, { word: now.text }) : ""
    this.choices.mark(at)
  }

  /** The choice stays when the pointer leaves; Python keeps it for links. */
  pin(cell) {
    const at = this.data.changeable.findIndex(({ id }) => id === cell.column), before = this.pinned.column
    this.pinned = { column: cell.column, row: cell.row }
    this.pointed = {}
    this.light()
    if (at >= 0 && before !== cell.column) this.setStateValue("changed", at)
  }

  explain() {
    const { words } = this.data, colours = [...this.colours.values()][0]
    if (!colours) return
    const samples = [0.01, 0.1, 0.5, 1].map((value, i) => {
      const patch = el("i", { ariaHidden: "true" })
      patch.style.background = css(mixed(colours.paper, [110, 110, 110], Math.sqrt(value)))
      return el("span", { className: "sample" }, patch, words.samples[i])
    })
    this.legend.replaceChildren(el("p", { className: "note" }, words.rows), el("p", { className: "note" }, words.measured),
      el("p", { className: "note scale" }, el("span", { className: "sample" }, el("i", { className: "dot", ariaHidden: "true" }), words.dot), ...samples),
      el("p", { className: "note" }, words.thumb))
  }

  /** A matrix once more, as a table. */
  tabulate(pane) {
    const { words } = this.data, { model, title, rows, columns } = pane
    return {
      caption: `${model.name}${words.comma}${title}`,
      heads: [words.position, ...columns.map(({ text }) => text)],
      rows: rows.map(({ text }, i) => [text, ...columns.map((_, j) => pane.shown(i, j))]),
    }
  }
}

function panesOf(data) {
  const values = column(data.values), allowed = column(data.allowed)
  let at = 0
  return data.models.flatMap(model => model.panes.map(pane => {
    const end = at + pane.rows.length * pane.columns.length
    const numbers = { values: values.slice(at, end), allowed: allowed.slice(at, end) }
    at = end
    return new Pane(model, pane, data.words, numbers)
  }))
}
