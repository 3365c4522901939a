// data: {serial, colour, headline, caution, rows: [{key, weight, weightShown, effect: -1..1, effectShown}], words}
// In front of this file stand components/shared/elements.js and colours.js.

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Edges(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class Edges {
  constructor(root) {
    this.root = root
    this.headline = el("p", { className: "headline" })
    this.caption = el("caption", { className: "unseen" })
    this.heads = [0, 1, 2].map(i => el("th", { scope: "col", colSpan: i ? 2 : 1 }))
    this.body = el("tbody")
    this.caution = el("p", { className: "note" })
    const columns = ["key", "bar", "number", "bar", "number"].map(className => el("col", { className }))
    this.frame = el("div", { className: "view edges" }, el("section", { className: "panel" }, this.headline,
      el("table", {}, this.caption, el("colgroup", {}, ...columns), el("thead", {}, el("tr", {}, ...this.heads)), this.body), this.caution))
    root.append(this.frame)
  }

  update({ colour, headline, caution, rows, words }) {
    const signed = diverging(this.root)
    this.frame.style.setProperty("--mark", colour)
    this.headline.textContent = headline
    this.caution.textContent = caution
    this.caption.textContent = words.caption
    words.heads.forEach((text, i) => { this.heads[i].textContent = text })
    keep(this.body, rows.length, () => el("tr", {}, el("th", { scope: "row" }), el("td", { className: "track", ariaHidden: "true" }, el("i")),
      el("td", { className: "number" }), el("td", { className: "signed", ariaHidden: "true" }, el("i")), el("td", { className: "number" })))
    rows.forEach(({ key, weight, weightShown, effect, effectShown }, i) => {
      const [name, bar, number, both, change] = this.body.children[i].children
      name.textContent = key
      bar.firstChild.style.width = `${100 * weight}%`
      number.textContent = weightShown
      Object.assign(both.firstChild.style, { left: `${50 + Math.min(0, 50 * effect)}%`, width: `${50 * Math.abs(effect)}%`, background: css(signed(Math.sign(effect))) })
      change.textContent = effectShown
    })
  }
}
