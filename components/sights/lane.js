// One matrix as a line of text: each position tinted by how far it moves when the chosen word changes.

class LaneRow {
  constructor(list, pane, calls) {
    Object.assign(this, { pane, calls })
    const who = el("b", {}, pane.model.name)
    who.style.color = pane.model.ink
    this.chips = el("span", { className: "chips" })
    this.count = el("span", { className: "count" })
    this.frame = el("div", { className: "lane" }, el("span", { className: "who" }, who, " ", el("small", {}, pane.title)), this.chips, this.count)
    this.spans = pane.rows.map(({ id, text, kind, joins }, i) => {
      if (kind === "padding") return null
      const chip = el("span", { className: kind }, text)
      chip.classList.toggle("joins", joins)
      chip.onpointerenter = () => calls.point({ column: id, row: null })
      chip.onclick = () => calls.pin({ column: id, row: null })
      return chip
    })
    this.chips.append(...this.spans.filter(Boolean))
    this.chips.onpointerleave = () => calls.point({})
    list.append(this.frame)
  }

  /** `column` is what changes, `row` the position that is asked about; both by name. */
  light(column, row, colours) {
    const { pane } = this, j = pane.columns.findIndex(({ id }) => id === column)
    const noticed = { before: 0, left: 0, after: 0, right: 0 }
    const first = pane.rows.findIndex(({ id }) => id === column)
    this.spans.forEach((chip, i) => {
      if (!chip) return
      const { id } = pane.rows[i], value = j < 0 ? 0 : pane.value(i, j), own = id === column
      chip.style.background = j < 0 || !(value > 0) ? "" : css(mixed(colours.paper, colours.strong, 0.55 * Math.sqrt(Math.min(1, value))))
      chip.classList.toggle("own", own)
      chip.classList.toggle("blind", j >= 0 && !pane.may(i, j))
      chip.classList.toggle("on", row !== null && id === row)
      if (own || first < 0) return
      noticed[i < first ? "left" : "right"] += 1
      noticed[i < first ? "before" : "after"] += value > 0
    })
    const at = row === null ? -1 : pane.rows.findIndex(({ id }) => id === row)
    this.count.textContent = j < 0 ? "" : at >= 0 ? pane.shown(at, j) : first < 0 ? "" : fill(this.calls.words().sides, noticed)
    this.count.classList.toggle("one", at >= 0)
  }
}
