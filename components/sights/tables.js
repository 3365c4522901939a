// The numbers of a picture as tables, folded away, and made when somebody opens them.

class Tables {
  /** `make()` gives the tables: [{caption, heads: [text], rows: [[text]]}]; the first cell of a row is its head. */
  constructor(make) {
    this.make = make
    this.frame = el("details", { className: "note tables" }, el("summary"), el("div", { className: "scroller" }))
    this.frame.ontoggle = () => this.show()
  }

  update(title) {
    this.frame.firstChild.textContent = title
    Object.assign(this.frame.lastChild, { tabIndex: 0, role: "region", ariaLabel: title })
    this.frame.lastChild.replaceChildren()
    this.show()
  }

  show() {
    if (!this.frame.open || this.frame.lastChild.children.length) return
    this.frame.lastChild.replaceChildren(...this.make().map(({ caption, heads, rows }) => el("table", {}, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...heads.map(text => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...rows.map(([head, ...cells]) => el("tr", {}, el("th", { scope: "row" }, head), ...cells.map(text => el("td", {}, text))))))))
  }
}
