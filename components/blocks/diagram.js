// One model as a diagram: towers side by side, blocks in the rows that all models share, so that partners line up.

const ALL = 15
const LATE = 11   // the row below the layers' frame: further down, for the frame's own words

class Diagram {
  /** `open(id)` is called when a block was chosen; `go(event)` on every key. */
  constructor(open, go) {
    this.open = open
    this.title = el("h3", {}, el("span", { className: "name" }), " ", el("small", { className: "model" }))
    this.about = el("p", { className: "about" })
    this.note = el("p", { className: "note" })
    this.grid = el("div", { className: "grid", role: "group" })
    this.grid.onkeydown = go
    this.gives = el("p", { className: "gives" })
    this.frame = el("section", { className: "model" }, this.title, this.about, this.note, this.grid, this.gives)
  }

  update(model, { frame, words, gestures }) {
    this.model = model
    this.frame.style.setProperty("--mark", model.mark)
    this.frame.style.setProperty("--ink", model.ink)
    this.frame.className = `model ${model.family || "missing"}`
    this.title.firstChild.textContent = model.name
    this.title.lastChild.textContent = model.model
    this.about.textContent = model.told
    this.note.textContent = model.note
    this.gives.textContent = model.gives
    this.grid.ariaLabel = fill(words.diagram, { name: model.name })
    const lanes = model.lanes.map((lane, i) => this.lane(lane, i, frame))
    const memory = model.family === "seq" ? [el("div", { className: "memory", title: words.memory })] : []
    const mine = model.family === "seq" ? gestures : []
    const ghosts = mine.flatMap(gesture => gesture.added.map(cell => this.ghost(cell, gesture)))
    this.buttons = model.cells.map(cell => this.button(cell))
    this.lines = lanes.map(([line]) => line)
    this.grid.replaceChildren(...lanes.flat(), ...memory, ...this.buttons, ...ghosts)
  }

  /** A tower's line from top to bottom, its name, and the frame around what every layer has again. */
  lane({ name, times, last }, i, [from, to]) {
    const line = place(el("div", { className: "line", ariaHidden: "true" }), i, 1, last)
    const around = place(el("div", { className: "around" }, el("span", { className: "times" }, times)), i, from, to)
    const title = this.model.lanes.length > 1 ? [place(el("h4", { className: "lane" }, name), i, 0, 0)] : []
    return [line, around, ...title]
  }

  button(cell) {
    const { id, row, sort, name, size, lane, wide } = cell
    const button = el("button", { type: "button", className: `block ${sort}`, tabIndex: -1 },
      el("span", { className: "name" }, name), " ", el("small", {}, size))
    button.dataset.id = id
    button.onclick = () => this.open(id)
    place(button, lane, row, row)
    if (wide) button.style.gridColumn = "1 / -1"
    return button
  }

  /** What a gesture puts on; it stands in for the other model's own block. */
  ghost({ id, row, sort, name, size }, { name: turn, lane, mark, ink }) {
    const ghost = el("div", { className: `block ghost ${sort}` }, el("span", { className: "name" }, `+ ${name}`), el("small", {}, size))
    Object.assign(ghost.dataset, { turn, id })
    ghost.style.setProperty("--mark", mark)
    ghost.style.setProperty("--ink", ink)
    return place(ghost, lane, row, row)
  }

  turn(name) {
    this.frame.classList.toggle("turned", Boolean(name))
    this.buttons.forEach((button, i) => {
      const fate = name ? this.model.cells[i].fates[name] ?? "" : ""
      button.dataset.fate = fate
      button.disabled = fate === "gone"
    })
    for (const ghost of this.grid.querySelectorAll(".ghost")) {
      const shown = ghost.dataset.turn === name
      ghost.classList.toggle("there", shown)
      ghost.ariaHidden = String(!shown)
    }
    this.grid.dataset.turn = name
    // Where a head is put on a tower, its line goes on to the end.
    this.lines.forEach((line, i) => { place(line, i, 1, this.model.family === "seq" && name ? ALL : this.model.lanes[i].last) })
  }
}

/** Towers stand in every second column, for what leads from one to the other. */
function place(node, lane, from, to) {
  node.style.gridColumn = String(2 * lane + 1)
  node.classList.toggle("late", from === to && from === LATE)
  node.style.gridRow = `${from + 1} / ${to + 2}`
  return node
}

/** The block that lies in the direction of an arrow key, the nearest one. */
function neighbour(from, buttons, [across, down]) {
  const at = middle(from)
  const ways = buttons.filter(each => each !== from).map(each => {
    const to = middle(each), x = to.x - at.x, y = to.y - at.y
    const along = across ? x * across : y * down, aside = Math.abs(across ? y : x)
    return { each, along, cost: along + 3 * aside }
  })
  return ways.filter(({ along }) => along > 4).sort((a, b) => a.cost - b.cost)[0]?.each
}

function middle(node) {
  const { left, top, width, height } = node.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
