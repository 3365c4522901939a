// data: {serial, key, colour, prompt and tokens: [{text, special, height: 0 to 1 or null, told, again, hand}], place, verse, writing,
//        rows: [{leaf, depth, text, shown}], headline, notes: [text], words}
//   -> trigger "place": how many tokens are read before the bars; "branch": the leaf of the branch to show; "over"
// data while the model still writes, in a mount of its own: {serial, key, since: the serial of the first, more: [token]: all that has come since}
// In front of this file stands components/shared/elements.js.

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -999, End: 999 }
const ENDS_LINE = /[，。？！；]$/
const views = new Map()  // by key: what comes later looks for it here

export default function ({ data, parentElement, setTriggerValue }) {
  if (data.more) return void views.get(data.key)?.grow(data)
  const known = views.get(data.key), view = known?.root === parentElement ? known : new Draft(parentElement)
  views.set(data.key, view)
  view.update(data, setTriggerValue)
  return () => { view.frame.remove(); if (views.get(data.key) === view) views.delete(data.key) }
}

class Draft {
  constructor(root) {
    this.root = root
    this.headline = el("p", { className: "headline", role: "status" })
    this.text = el("div", { className: "text", role: "toolbar", dir: "auto" })
    this.text.onkeydown = event => walk(event, this.buttons, STEPS)
    this.told = el("p", { className: "told" })
    this.legend = el("p", { className: "legend note" })
    this.list = el("ol", { className: "branches" })
    this.list.onkeydown = event => walk(event, [...this.list.querySelectorAll("button")], STEPS)
    this.over = el("button", { type: "button", className: "pill" })
    this.tree = el("section", { className: "tree" }, el("div", { className: "bar" }, el("h4"), this.over), this.list, el("p", { className: "note" }))
    this.notes = el("div", { className: "notes" })
    this.frame = el("div", { className: "view draft" },
      el("section", { className: "panel" }, this.headline, this.text, this.told, this.legend, this.notes, this.tree))
    // Streamlit fades what a run has not reached yet; a text that is growing is not to fade.
    root.host.closest("[data-testid=stElementContainer]")?.style.setProperty("opacity", "1", "important")
    root.append(this.frame)
  }

  update(data, trigger) {
    Object.assign(this, { data, trigger })
    const { words, prompt, tokens, rows, writing, verse } = data
    this.frame.style.setProperty("--mark", data.colour)
    this.text.ariaLabel = words.text
    this.text.classList.toggle("verse", verse)
    this.headline.textContent = writing ? words.writing : data.headline || words.nothing
    this.text.replaceChildren(...prompt.map((token, i) => this.chip(token, null, prompt[i - 1])), ...tokens.flatMap((token, i) => this.written(token, i, tokens)), this.end())
    this.mark()
    this.notes.replaceChildren(...data.notes.map(text => el("p", { className: "note" }, text)))
    this.legend.replaceChildren(...this.keys([...prompt, ...tokens]))
    this.tree.hidden = !rows.length
    this.tree.querySelector("h4").textContent = words.branches
    this.tree.lastChild.textContent = rows.length > 1 ? words.branchHint : ""
    this.over.textContent = words.over
    this.over.onclick = () => this.trigger("over", true)
    this.list.replaceChildren(...rows.map(row => this.row(row)))
    rove([...this.list.querySelectorAll("button")], Math.max(0, rows.findIndex(row => row.shown)))
  }

  /** More has come, unless the whole text came meanwhile; the numbers of all follow when the model is done. */
  grow({ more, since }) {
    const { place, serial } = this.data
    if (since !== serial) return
    for (const node of [...this.text.children]) if (Number(node.dataset.at) >= place) node.remove()
    this.caret.before(...more.flatMap((token, i) => this.written(token, place + i, [...this.data.tokens.slice(0, place), ...more])))
    this.buttons = [...this.text.querySelectorAll("button")]
  }

  written(token, i, tokens) {
    const chip = this.chip(token, i, tokens[i - 1] ?? this.data.prompt.at(-1))
    if (!this.data.verse || !ENDS_LINE.test(token.text)) return [chip]
    const line = el("br")
    line.dataset.at = i
    return [chip, line]
  }

  /** A token below the bar of its surprisal; those of the prompt cannot be chosen anew. */
  chip({ text, special, height, told, again, hand }, i, before) {
    const name = text.trim() || (text.includes("\n") ? "⏎" : "·")
    const joins = before && !before.special && !special && text && text === text.trimStart()
    const bar = el("i", { className: "level" })
    bar.style.setProperty("--height", height ?? 0)
    const chip = el("button", { type: "button", ariaLabel: told }, el("span", { className: "pillar", ariaHidden: "true" }, bar), el("span", { className: "word", translate: false }, name))
    for (const [kind, on] of Object.entries({ special, again, hand, joins, given: i === null })) chip.classList.toggle(kind, Boolean(on))
    chip.onpointerenter = chip.onfocus = () => { this.told.textContent = told }
    chip.onpointerleave = () => this.rest()
    if (i === null) chip.setAttribute("aria-disabled", "true")
    else {
      chip.dataset.at = i
      chip.onclick = () => this.choose(i)
    }
    return chip
  }

  /** Where the text goes on. */
  end() {
    this.caret = el("button", { type: "button", className: "caret", ariaLabel: this.data.words.end }, "▏")
    this.caret.onclick = () => this.choose(this.data.tokens.length)
    this.caret.onfocus = () => { this.told.textContent = this.data.words.end }
    return this.caret
  }

  choose(place) {
    if (this.data.writing) return
    this.data.place = place
    this.mark()
    this.trigger("place", place)
  }

  /** The place that the bars are about. */
  mark() {
    this.buttons = [...this.text.querySelectorAll("button")]
    const { place, prompt, tokens } = this.data, at = place < tokens.length ? prompt.length + place : this.buttons.length - 1
    this.buttons.forEach((button, i) => {
      if (!button.classList.contains("given")) button.setAttribute("aria-pressed", String(i === at))
      button.classList.toggle("later", i > at && button !== this.caret)
    })
    rove(this.buttons, Math.max(0, at))
    this.rest()
  }

  rest() { this.told.textContent = this.data.tokens.length ? this.data.words.hint : "" }

  keys(tokens) {
    const { words } = this.data, has = name => tokens.some(token => token[name])
    return [el("span", { className: "key bars" }, words.bar), ...has("again") ? [el("span", { className: "key again" }, words.again)] : [],
      ...has("hand") ? [el("span", { className: "key hand" }, words.hand)] : []]
  }

  row({ leaf, depth, text, shown }) {
    const button = el("button", { type: "button", dir: "auto" }, text)
    button.setAttribute("aria-current", String(shown))
    button.onclick = () => this.trigger("branch", leaf)
    const item = el("li", {}, button)
    item.style.setProperty("--depth", depth)
    return item
  }
}
