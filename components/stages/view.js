// data: {serial, follows, step, at: [layer, head], colour: {light, dark}, title, headline, query, queries: [text], width, vectors and products (float32
//        columns, -1..1; the first vector is the query), steps: [{name, formula, told}], words,
//        rows: [{key, special, product, score, masked, weight, share, norm, brings, part}]}
//   -> states "head" ([layer, head]) and "query" (token): chosen here, or told by the head that is followed
// In front of this file stand the scripts of components/shared.

const FIRST = [0, 0, 1, 1, 2, 3, 4, 5, 5]   // the step with which each column appears
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new Stages(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement) }
}

class Stages {
  constructor(root, data) {
    Object.assign(this, { root, step: Math.min(data.step, data.steps.length - 1), stop: new AbortController() })
    this.title = el("h3")
    this.query = el("select", { onchange: () => this.setStateValue("query", this.query.selectedIndex) })
    this.label = el("label", { className: "asks" }, el("span"), this.query)
    this.headline = el("p", { className: "headline" })
    this.chain = el("div", { className: "chain", role: "group" })
    this.chain.onkeydown = event => walk(event, this.buttons, { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 })
    this.told = el("p", { className: "told", role: "status" })
    this.caption = el("caption", { className: "unseen" })
    this.head = el("tr"), this.body = el("tbody")
    this.scroller = el("div", { className: "scroller", tabIndex: 0, role: "region" },
      el("table", {}, this.caption, el("thead", {}, this.head), this.body))
    this.notes = el("p", { className: "note" })
    this.frame = el("div", { className: "view stages" }, el("section", { className: "panel" },
      el("div", { className: "bar" }, this.title, this.label), this.headline, this.chain, this.told, this.scroller, this.notes))
    root.append(this.frame)
    // Told after the head itself was drawn, for Streamlit loses one of two reports in one moment.
    followHead(this)
    hear(this, "opened", () => this.data.follows, ({ token }) => {
      if (token !== null && token !== this.locked) this.setStateValue("query", token)
      this.locked = token
    })
  }

  close() {
    linked("step", null)
    this.stop.abort()
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue })
    const { words, colour, queries } = data
    this.frame.style.setProperty("--mark", colour.light)
    this.title.textContent = data.title
    this.label.firstChild.textContent = words.choose
    this.query.replaceChildren(...queries.map((text, i) => el("option", {}, `${i + 1} · ${text}`)))
    this.query.selectedIndex = data.query
    this.headline.textContent = data.headline
    this.chain.ariaLabel = words.steps
    keep(this.chain, data.steps.length, () => el("button", { type: "button" }, el("b"), el("small")))
    this.buttons = [...this.chain.children]
    this.buttons.forEach((button, i) => {
      button.firstChild.textContent = `${i + 1} ${data.steps[i].name}`
      button.lastChild.textContent = data.steps[i].formula
      button.onclick = () => this.show(i)
    })
    this.caption.textContent = this.scroller.ariaLabel = words.caption
    this.tabulate()
    this.notes.textContent = [words.context, words.more].filter(Boolean).join(" ")
    this.show(Math.min(this.step, data.steps.length - 1))
  }

  tabulate() {
    const { rows, words, width } = this.data, vectors = column(this.data.vectors), products = column(this.data.products)
    const colour = diverging(this.root), part = (from, i) => from.subarray(i * width, (i + 1) * width)
    this.head.replaceChildren(...words.heads.map(text => el("th", { scope: "col" }, text)))
    const mine = el("tr", { className: "mine" }, el("th", { scope: "row" }, words.mine), el("td", {}, strip(part(vectors, 0), colour)),
      ...FIRST.slice(2).map(() => el("td")))
    this.body.replaceChildren(mine, ...rows.map((row, i) => el("tr", { className: row.special ? "special" : "" },
      el("th", { scope: "row" }, row.key), el("td", {}, strip(part(vectors, i + 1), colour)), el("td", {}, strip(part(products, i), colour)),
      ...[row.product, row.score, row.masked].map(text => el("td", { className: "number" }, text)),
      bar(row.weight, row.share), el("td", { className: "number" }, row.norm), bar(row.brings, row.part))))
  }

  /** Everything up to this step; what comes later has not been computed yet. */
  show(step) {
    this.step = step
    linked("step", step + 1)
    this.told.textContent = this.data.steps[step].told
    this.buttons.forEach((button, i) => { button.ariaPressed = String(i === step) })
    rove(this.buttons, step)
    for (const row of [this.head, ...this.body.children]) {
      [...row.children].forEach((cell, i) => {
        cell.classList.toggle("later", FIRST[i] > step)
        cell.classList.toggle("now", FIRST[i] === step && step > 0)
      })
    }
  }
}

/** A vector as a row of coloured cells. */
function strip(values, colour) {
  const canvas = el("canvas", { width: values.length, height: 1, ariaHidden: "true" }), row = new ImageData(values.length, 1)
  values.forEach((value, i) => row.data.set([...colour(value), 255], 4 * i))
  canvas.getContext("2d").putImageData(row, 0, 0)
  return canvas
}

function bar(text, share) {
  const cell = el("td", { className: "number bar" }, text)
  cell.style.setProperty("--share", `${100 * share}%`)
  return cell
}
