// data: {serial, colour, headline, sum, long, full, blind, words, tokens: [{text, special, joins, row}],
//        rows: [{text, read, fate, name, told, nats, shown, rank, answers}]}
// In front of this file stands components/shared/elements.js.

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Loss(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.close(); views.delete(parentElement) }
}

class Loss {
  constructor(root) {
    this.headline = el("p", { className: "headline" })
    this.sum = el("p", { className: "sum" })
    this.flow = el("div", { className: "flow", role: "img" })
    this.rows = el("tbody")
    this.caption = el("caption", { className: "unseen" })
    const names = ["word", "answers", "nats"], columns = names.map(className => el("col", { className }))
    this.heads = names.map(className => el("th", { className, scope: "col" }))
    this.table = el("table", {}, this.caption, el("colgroup", {}, ...columns), el("thead", {}, el("tr", {}, ...this.heads)), this.rows)
    this.scroller = el("div", { className: "scroller", tabIndex: 0, role: "region" }, this.table)
    this.note = el("p", { className: "note" })
    this.said = el("p", { className: "unseen", role: "status" })
    const told = el("div", { className: "told" }, this.headline, this.sum)
    this.frame = el("div", { className: "view loss" },
      el("div", { className: "panel" }, told, this.flow, this.scroller, this.note), this.said)
    for (const part of [this.flow, this.rows]) {
      part.onpointerover = ({ target }) => this.light(target.closest("[data-row]")?.getAttribute("data-row"))
      part.onpointerleave = () => this.light()
    }
    // What scrolls must be within reach of the keyboard.
    this.sizes = new ResizeObserver(() => { this.flow.tabIndex = this.flow.scrollHeight > this.flow.clientHeight ? 0 : -1 })
    this.sizes.observe(this.flow)
    root.append(this.frame)
  }

  close() {
    this.sizes.disconnect()
    this.frame.remove()
  }

  update(data) {
    const { words, rows, tokens } = data
    this.data = data
    this.frame.style.setProperty("--mark", data.colour)
    this.frame.style.setProperty("--blind", `${100 * data.blind / data.full}%`)
    this.headline.textContent = data.headline
    this.sum.textContent = data.sum
    this.caption.textContent = words.caption
    this.scroller.setAttribute("aria-label", words.caption)
    const heads = [words.word, words.answers, words.nats]
    this.heads.forEach((head, i) => { head.textContent = heads[i] })
    this.note.textContent = words.note
    this.flow.classList.toggle("long", data.long)
    const text = tokens.map(({ text, row }) => row === null ? text : rows[row].read).join(" ")
    this.flow.setAttribute("aria-label", fill(words.flow, { text }))
    this.flow.replaceChildren(...tokens.map(token => this.token(token)))
    keep(this.rows, rows.length, row)
    rows.forEach((one, i) => this.fillRow(this.rows.children[i], one, i))
    this.scroller.hidden = this.flow.hidden = this.note.hidden = !rows.length
    const said = `${data.headline} ${data.sum}`
    if (said !== this.said.textContent) this.said.textContent = said
  }

  /** A token in its place: as the model reads it; if it was selected, under its bar and over what it was. */
  token({ text, special, joins, row }) {
    const node = el("span", { className: "token" })
    node.classList.toggle("special", special)
    node.classList.toggle("joins", joins)
    if (row === null) {
      node.append(el("span", { className: "read" }, text))
      return node
    }
    const { fate, read, name, nats, shown } = this.data.rows[row]
    const bar = el("span", { className: "column" }, el("span", { className: "value" }, shown), el("i"))
    bar.style.setProperty("--part", nats / this.data.full)
    const was = fate === "kept" ? [] : [el("span", { className: "was" }, text)]
    node.append(bar, el("span", { className: "read" }, read), el("span", { className: "name" }, name), ...was)
    node.classList.add("selected", fate)
    node.setAttribute("data-row", row)
    return node
  }

  fillRow(row, { text, told, nats, shown, rank, answers }, i) {
    const [word, bar, number] = row.children
    row.setAttribute("data-row", i)
    word.firstChild.textContent = text
    word.lastChild.textContent = told
    bar.querySelector("i").style.width = `${100 * nats / this.data.full}%`
    bar.lastChild.textContent = answers
    number.firstChild.textContent = shown
    number.lastChild.textContent = rank
  }

  light(row = null) {
    for (const node of this.frame.querySelectorAll("[data-row]")) {
      node.classList.toggle("lit", node.getAttribute("data-row") === row)
    }
  }
}

function row() {
  return el("tr", {}, el("th", { scope: "row" }, el("b"), el("small")),
    el("td", { className: "answers" }, el("div", { className: "bar", ariaHidden: "true" }, el("i")), el("small")),
    el("td", { className: "nats" }, el("b"), el("small")))
}
