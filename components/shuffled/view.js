// data: {serial, typed, shuffled, words, lanes: [{name, model, ink, colour, note, before, after, asked, told, full, scale}]}
//   before and after: [{word, value, shown}]
// In front of this file stand components/shared/elements.js and its siblings.

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Shuffled(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class Shuffled {
  constructor(root) {
    this.typed = el("p", { className: "order" })
    this.moved = el("p", { className: "order" })
    this.list = el("div", { className: "lanes" })
    this.frame = el("div", { className: "view shuffled" }, this.typed, this.moved, this.list)
    root.append(this.frame)
  }

  update({ typed, shuffled, lanes, words }) {
    this.order(this.typed, words.typed, typed)
    this.order(this.moved, words.shuffled, shuffled)
    this.list.replaceChildren(...lanes.map(lane => this.lane(lane, words)))
  }

  order(line, name, words) {
    line.hidden = !words.length
    line.replaceChildren(el("b", {}, name), " ", ...words.flatMap(word => [el("span", { className: "chip" }, word), " "]))
  }

  lane({ name, model, ink, colour, note, before, after, asked, told, full, scale }, words) {
    const card = el("section", { className: "panel" }, el("h3", {}, name), el("p", { className: "model" }, model))
    card.style.setProperty("--mark", colour.light)
    card.firstChild.style.color = ink
    if (note) card.append(el("p", { className: "note" }, note))
    if (before.length) card.append(el("div", { className: "sides" }, this.side(words.typed, before, full, words), this.side(words.shuffled, after, full, words)))
    if (before.length) card.append(el("p", { className: "note" }, `${scale} ${asked}`))
    if (told) card.append(el("p", { className: "told" }, told))
    return card
  }

  side(caption, rows, full, words) {
    const body = el("tbody"), head = el("tr", {}, el("th", { scope: "col" }, words.word), el("td"), el("th", { scope: "col" }, words.share))
    const columns = el("colgroup", {}, el("col", { className: "word" }), el("col"), el("col", { className: "share" }))
    showBars(body, rows, full)
    return el("table", { className: "bars" }, el("caption", {}, caption), columns, el("thead", { className: "unseen" }, head), body)
  }
}
