// data: {serial, headline, full, words, lanes: [{name, told, ink, colour: {light, dark}, note, count, mean,
//        tokens: [{text, read, kind, targets: [{way, told, nats, shown}]}]}]}
// In front of this file stand components/shared/elements.js and colours.js, and components/sights/tables.js.

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new TargetLanes(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class TargetLanes {
  constructor(root) {
    this.headline = el("p", { className: "headline" })
    this.list = el("div", { className: "list" })
    this.tables = new Tables(() => this.data.lanes.filter(({ tokens }) => tokens.length).map(lane => this.tabulate(lane)))
    this.frame = el("div", { className: "view targets" }, this.headline, this.list, this.tables.frame)
    root.append(this.frame)
  }

  update(data) {
    this.data = data
    this.headline.textContent = data.headline
    this.list.replaceChildren(...data.lanes.map(lane => this.lane(lane)))
    this.tables.update(data.words.table)
  }

  lane({ name, told, ink, colour, note, count, mean, tokens }) {
    const who = el("b", {}, name)
    who.style.color = ink
    const head = el("header", {}, who, el("span", { className: "note" }, told), el("span", { className: "count" }, count), el("span", { className: "mean" }, mean))
    // A picture to those who see it; the tables below have the same numbers.
    const flow = el("div", { className: "flow", role: "img", ariaLabel: fill(this.data.words.lane, { name }) }, ...tokens.map(token => this.token(token)))
    const frame = el("section", { className: "panel" }, head, note ? el("p", { className: "note" }, note) : flow)
    frame.style.setProperty("--mark", colour.light)
    return frame
  }

  /** A token as it is read, under a bar for each time that it is predicted, over what it was. */
  token({ text, read, kind, targets }) {
    const bars = el("span", { className: "columns" }, ...targets.map(({ way, told, nats, shown }) => {
      const bar = el("i", { className: way })
      bar.style.setProperty("--part", Math.min(1, nats / this.data.full))
      return el("span", { className: "column", title: told }, el("span", { className: "number" }, shown), bar)
    }))
    const node = el("span", { className: `token ${kind}` }, bars, el("span", { className: "read" }, read || "\u00a0"))
    node.classList.toggle("trained", targets.length > 0)
    node.classList.toggle("other", read !== text)
    if (read !== text) node.append(el("span", { className: "was" }, text))
    return node
  }

  tabulate({ name, tokens }) {
    const { words } = this.data
    return {
      caption: name,
      heads: [words.token, words.read, words.way, words.nats],
      rows: tokens.flatMap(({ text, read, targets }) => targets.map(({ told, shown }) => [text, read, told, shown])),
    }
  }
}
