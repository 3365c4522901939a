// data: {serial, colour, headline, rows and greedy: {name, text, log_p, tokens, score, ended}, words,
//        steps: [[{text, token, log_p, fate: "kept", "finished" or "dropped", told}]]}
//   -> trigger "take": the number of the text that is to become a branch
//   Which step is shown is known here alone.
// In front of this file stands components/shared/elements.js.

const COLUMNS = ["rank", "text", "tokens", "log_p", "score"]
const views = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.get(parentElement) ?? new Beams(parentElement)
  views.set(parentElement, view)
  view.update(data, setTriggerValue)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class Beams {
  constructor(root) {
    this.step = 0
    this.headline = el("p", { className: "headline", role: "status" })
    this.found = table([...COLUMNS, "take"])
    this.looked = table(["fate", "extension", "log_p"])
    this.slider = el("input", { type: "range", min: 1, step: 1, oninput: () => this.scrub(Number(this.slider.value) - 1) })
    this.depth = el("label", { className: "depth" }, el("span"), this.slider)
    this.width = el("p", { className: "note" })
    this.frame = el("div", { className: "view beams" }, el("section", { className: "panel" }, this.headline,
      el("div", { className: "scroller" }, this.found), el("div", { className: "bar" }, el("h4"), this.depth), el("div", { className: "scroller" }, this.looked), this.width))
    root.append(this.frame)
  }

  update(data, trigger) {
    Object.assign(this, { data, trigger })
    const { words, rows, greedy, steps } = data
    this.frame.style.setProperty("--mark", data.colour)
    this.headline.textContent = data.headline
    this.width.textContent = words.width
    this.frame.querySelector("h4").textContent = words.steps
    dress(this.found, words.found, [...COLUMNS.map(name => words[name]), ""])
    const body = this.found.tBodies[0]
    body.replaceChildren(...rows.map((row, i) => this.row(row, i)), this.row(greedy, null))
    dress(this.looked, words.steps, [words.fate, words.extension, words.log_p])
    this.slider.max = steps.length
    this.depth.hidden = steps.length < 2
    this.scrub(Math.min(this.step, steps.length - 1))
  }

  row({ name, text, tokens, log_p: logP, score, ended }, i) {
    const { words } = this.data
    const take = el("button", { type: "button", className: "pill", onclick: () => this.trigger("take", i) }, words.take)
    const cells = [el("td", { className: "text", dir: "auto" }, text, ...ended ? [" ", el("small", {}, words.ended)] : []),
      ...[tokens, logP, score].map(value => el("td", { className: "number" }, value)), el("td", {}, ...i === null ? [] : [take])]
    return el("tr", { className: i === null ? "greedy" : "" }, el("th", { scope: "row" }, name), ...cells)
  }

  scrub(step) {
    const { words, steps } = this.data
    this.step = Math.max(0, step)
    this.slider.value = this.step + 1
    this.depth.firstChild.textContent = fill(words.step, { step: this.step + 1, steps: steps.length })
    this.looked.tBodies[0].replaceChildren(...(steps[this.step] ?? []).map(({ text, token, log_p: logP, fate, told }) =>
      el("tr", { className: fate }, el("th", { scope: "row" }, told), el("td", { className: "text", dir: "auto" }, text, el("b", {}, token)), el("td", { className: "number" }, logP))))
  }
}

function table(columns) {
  return el("table", {}, el("caption", { className: "unseen" }), el("thead", {}, el("tr", {}, ...columns.map(name => el(name === "take" ? "td" : "th", { className: name, ...name === "take" ? {} : { scope: "col" } })))), el("tbody"))
}

function dress(node, caption, heads) {
  node.caption.textContent = caption
  heads.forEach((text, i) => { node.tHead.rows[0].cells[i].textContent = text })
}
