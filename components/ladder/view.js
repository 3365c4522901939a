// data: {serial, colour, layer, headline, full, words, ticks: [{at, text}],
//        lines: [{name, final, places: [0..1]}],
//        layers: [{name, title, entropy, doubt, rank, standings, answers: [{word, value, shown, strong}]}]}
//   -> state "layer": the row that was pressed, 0 = the embeddings
// In front of this file stands components/shared/elements.js.

const KEYS = { ArrowUp: -1, ArrowDown: 1, Home: -1000, End: 1000 }
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Ladder(parentElement, data.layer)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class Ladder {
  constructor(root, layer) {
    this.layer = layer
    this.headline = el("p", { className: "headline" })
    this.rows = el("tbody")
    this.table = this.build()
    this.beside = el("section", { className: "beside" })
    this.legend = el("p", { className: "note legend" })
    this.bias = el("p", { className: "note" })
    this.said = el("p", { className: "unseen", role: "status" })
    const body = el("div", { className: "body" }, this.table, this.beside)
    this.frame = el("div", { className: "view ladder" }, el("div", { className: "panel" }, this.headline, body,
      this.legend, this.bias), this.said)
    root.append(this.frame)
  }

  build() {
    const names = ["layer", "word", "track", "share", "entropy", "rank", "path"]
    const columns = names.map(className => el("col", { className }))
    this.heads = names.map(className => el("th", { className, scope: "col" }))
    this.caption = el("caption", { className: "unseen" })
    for (const i of [2, 6]) this.heads[i].setAttribute("aria-hidden", "true")
    this.rows.onpointerleave = () => this.show(this.layer)
    this.rows.addEventListener("focusout", () => this.show(this.layer))
    this.rows.onkeydown = event => walk(event, this.buttons, KEYS)
    return el("table", {}, this.caption, el("colgroup", {}, ...columns), el("thead", {}, el("tr", {}, ...this.heads)), this.rows)
  }

  update(data, setStateValue) {
    const lit = this.frame.getRootNode().activeElement?.closest("tr")
    Object.assign(this, { data, setStateValue, layer: Math.min(this.layer, data.layers.length - 1) })
    const { words } = data
    this.frame.style.setProperty("--mark", data.colour)
    this.headline.textContent = data.headline
    this.caption.textContent = words.caption
    const heads = [words.layer, words.best, "", words.share, words.entropy, words.rank]
    heads.forEach((text, i) => { this.heads[i].textContent = text })
    this.heads[6].replaceChildren(el("div", { className: "axis" }, ...data.ticks.map(({ at, text }) => {
      const tick = el("span", {}, text)
      tick.style.left = `${100 * at}%`
      return tick
    })))
    keep(this.rows, data.layers.length, () => this.row())
    this.buttons = [...this.rows.querySelectorAll("button")]
    data.layers.forEach((layer, i) => this.fillRow(i, layer))
    this.legend.replaceChildren(...this.keys(), el("span", {}, words.path), el("span", {}, words.scale))
    this.bias.textContent = words.bias
    this.press(this.layer)
    this.show(lit ? [...this.rows.children].indexOf(lit) : this.layer)
  }

  row() {
    const cell = className => el("td", { className })
    const track = el("td", { className: "track", ariaHidden: "true" }, el("i"))
    const path = el("td", { className: "path", ariaHidden: "true" }, el("div", {}))
    const row = el("tr", {}, el("th", { className: "layer", scope: "row" }, el("button", { type: "button" })),
      cell("word"), track, cell("share"), cell("entropy"), cell("rank"), path)
    const index = () => [...this.rows.children].indexOf(row)
    row.onpointerenter = () => this.show(index())
    row.addEventListener("focusin", () => this.show(index()))
    row.onclick = () => this.choose(index())
    return row
  }

  fillRow(i, { name, answers, entropy, rank }) {
    const [layer, word, track, share, bits, place, path] = this.rows.children[i].children
    layer.firstChild.textContent = name
    word.textContent = answers[0].word
    word.classList.toggle("strong", answers[0].strong)
    track.firstChild.style.width = `${100 * answers[0].value / this.data.full}%`
    share.textContent = answers[0].shown
    bits.textContent = entropy
    place.textContent = rank
    path.firstChild.replaceChildren(this.crossing(i), ...this.data.lines.map(line => this.dot(line, i)).reverse())
  }

  /** What of the lines lies in this row: they cross its borders halfway to the rows above and below. */
  crossing(i) {
    const grid = this.data.ticks.map(({ at }) => shape("path", { class: "grid", d: `M${100 * at} 0V100` }))
    const lines = this.data.lines.map(({ final, places }) => {
      const here = 100 * places[i], half = j => (here + 100 * places[j]) / 2
      const above = i ? `M${half(i - 1)} 0L` : "M", below = i < places.length - 1 ? `L${half(i + 1)} 100` : ""
      return shape("path", { class: `line ${final ? "final" : "own"}`, d: `${above}${here} 50${below}` })
    })
    return shape("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" }, ...grid, ...lines.reverse())
  }

  dot({ final, places }, i) {
    const dot = el("i", { className: `dot ${final ? "final" : "own"}`, ariaHidden: "true" })
    if (i !== undefined) dot.style.left = `${100 * places[i]}%`
    return dot
  }

  /** What the lines are. */
  keys() {
    return this.data.lines.map(line => el("span", { className: "key" }, this.dot(line), line.name))
  }

  /** The layer that has the attention: its best answers stand beside the rows. */
  show(i) {
    const layer = this.data.layers[i], { words, full } = this.data
    ;[...this.rows.children].forEach((row, j) => row.classList.toggle("lit", j === i))
    const body = this.beside.querySelector("tbody") ?? el("tbody")
    const columns = ["word", "bar", "share"].map(className => el("col", { className }))
    const heads = [words.best, "", words.share].map(text => text ? el("th", { scope: "col" }, text) : el("td"))
    showBars(body, layer.answers, full)
    this.beside.setAttribute("aria-label", layer.title)
    this.beside.replaceChildren(el("h4", {}, layer.title),
      el("table", { className: "bars" }, el("caption", { className: "unseen" }, layer.title), el("colgroup", {}, ...columns),
        el("thead", { className: "unseen" }, el("tr", {}, ...heads)), body),
      ...[layer.doubt, ...layer.standings].map(text => el("p", { className: "note" }, text)))
  }

  press(i) {
    this.layer = i
    this.buttons.forEach((button, j) => button.setAttribute("aria-pressed", String(j === i)))
    rove(this.buttons, i)
    ;[...this.rows.children].forEach((row, j) => row.classList.toggle("chosen", j === i))
  }

  choose(i) {
    const { layers, words } = this.data, best = layers[i].answers.map(({ word, shown }) => `${word} ${shown}`)
    if (i !== this.layer) this.setStateValue("layer", i)
    this.press(i)
    this.show(i)
    this.said.textContent = fill(words.said, { name: layers[i].title, text: best.join(words.comma) })
  }
}
