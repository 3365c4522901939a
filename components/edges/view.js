// data: {serial, follows, at: [layer, head], colour, headline, caution, rows: [{key, values: [{bar, shown}]}], words: {caption, heads}}
//   bars: the first (weight) from 0 to 1, the others from -1 to 1
//   -> state "head": the head that is open now, where it is another
// In front of this file stand the scripts of components/shared.

const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Edges(parentElement)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class Edges {
  constructor(root) {
    Object.assign(this, { root, stop: new AbortController() })
    this.headline = el("p", { className: "headline" })
    this.caption = el("caption", { className: "unseen" })
    this.columns = el("colgroup")
    this.heads = el("tr")
    this.body = el("tbody")
    this.caution = el("p", { className: "note" })
    this.frame = el("div", { className: "view edges" }, el("section", { className: "panel" }, this.headline,
      el("table", {}, this.caption, this.columns, el("thead", {}, this.heads), this.body), this.caution))
    root.append(this.frame)
    followHead(this)
  }

  close() {
    this.stop.abort()
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue })
    const { colour, headline, caution, rows, words } = data, signed = diverging(this.root), count = words.heads.length - 1
    this.frame.style.setProperty("--mark", colour)
    this.headline.textContent = headline
    this.caution.textContent = caution
    this.caption.textContent = words.caption
    const kinds = ["key", ...Array.from({ length: count }, () => ["bar", "number"]).flat()]
    this.columns.replaceChildren(...kinds.map(className => el("col", { className })))
    this.heads.replaceChildren(...words.heads.map((text, i) => el("th", { scope: "col", colSpan: i ? 2 : 1 }, text)))
    keep(this.body, 0)
    keep(this.body, rows.length, () => el("tr", {}, el("th", { scope: "row" }), ...Array.from({ length: count }, (_, i) => [
      el("td", { className: i ? "signed" : "track", ariaHidden: "true" }, el("i")), el("td", { className: "number" })]).flat()))
    rows.forEach(({ key, values }, row) => {
      const [name, ...cells] = this.body.children[row].children
      name.textContent = key
      values.forEach(({ bar, shown }, i) => {
        const [picture, number] = [cells[2 * i].firstChild, cells[2 * i + 1]]
        number.textContent = shown
        Object.assign(picture.style, i ? { left: `${50 + Math.min(0, 50 * bar)}%`, width: `${50 * Math.abs(bar)}%`, background: css(signed(Math.sign(bar))) } : { width: `${100 * bar}%` })
      })
    })
  }
}
