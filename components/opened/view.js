// data: {serial, colour: {light, dark}, parts: [name], layers: [name], word, scores, gamma, level, far, gammas: [least, most], said,
//        products (float32 column: layer, layer, word, word), words: [{text, full, scale, answers: [{rows: [{word, value, shown, strong}], rank}]}]}
//   -> states "word" (which one) and "mix": [scores…, gamma, 1 if layers have the same length]
// In front of this file stand components/shared/elements.js and colours.js, components/sights/choices.js, and layers.js (the arithmetic of a mix).

const views = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const view = views.get(parentElement) ?? new OpenedElmo(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

class OpenedElmo {
  constructor(root, { word, scores, gamma, level }) {
    Object.assign(this, { root, word, scores: [...scores], gamma, level })
    this.choices = new Choices(i => this.looks(i))
    this.title = el("h3")
    this.answers = el("div", { className: "answers" })
    this.scale = el("p", { className: "note" })
    this.mixTitle = el("h3")
    this.sliders = el("div", { className: "sliders" })
    this.shares = el("div", { className: "shares", ariaHidden: "true" })
    this.levels = el("input", { type: "checkbox", onchange: () => this.mixes({ level: this.levels.checked }, true) })
    this.levelled = el("label", { className: "level" }, this.levels, el("span"))
    this.even = el("button", { type: "button", className: "pill", onclick: () => this.mixes({ scores: this.scores.map(() => 0), gamma: 1, level: false }, true) })
    this.lengths = el("p", { className: "note" })
    this.like = el("caption")
    this.rows = el("tbody")
    const columns = ["word", "bar", "share"].map(className => el("col", { className }))
    this.bars = el("table", { className: "bars" }, this.like, el("colgroup", {}, ...columns), this.rows)
    this.most = el("p", { className: "most", role: "status" })
    this.length = el("p", { className: "note" })
    const left = el("section", {}, this.title, this.answers, this.scale)
    const controls = el("div", { className: "controls" }, this.sliders, this.shares, el("div", { className: "switches" }, this.levelled, this.even), this.lengths)
    const right = el("section", {}, this.mixTitle, controls, this.bars, this.most, this.length)
    this.frame = el("div", { className: "view opened" }, el("div", { className: "panel" }, this.choices.frame, el("div", { className: "halves" }, left, right)))
    root.append(this.frame)
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue, products: column(data.products) })
    const { said, layers } = data
    if (this.scores.length !== layers.length) this.scores = layers.map(() => 0)
    this.word = this.word < data.words.length ? this.word : data.word
    if (data.words[data.word]?.text !== data.words[this.word]?.text) this.word = data.word
    this.frame.style.setProperty("--mark", data.colour.light)
    this.mixTitle.textContent = said.mix
    this.levelled.lastChild.textContent = said.level
    this.even.textContent = said.even
    this.choices.offer(said.choose, data.words)
    this.slide()
    this.draw()
  }

  looks(i) {
    this.word = i
    this.draw()
    this.setStateValue("word", i)
  }

  /** A slider for each layer's score, and one for gamma. While one moves nothing is sent. */
  slide() {
    const { layers, far, gammas } = this.data
    const slider = range => el("label", {}, el("span"), el("input", { type: "range", ...range }))
    keep(this.sliders, layers.length + 1, () => slider({}))
    layers.forEach((_, i) => {
      const input = this.sliders.children[i].lastChild
      Object.assign(input, { min: -far, max: far, step: 0.1 })
      input.value = this.scores[i]
      input.oninput = () => this.mixes({ scores: this.scores.map((score, j) => i === j ? Number(input.value) : score) })
      input.onchange = () => this.sends()
    })
    const gamma = this.sliders.lastChild.lastChild
    Object.assign(gamma, { min: gammas[0], max: gammas[1], step: 0.1 })
    gamma.value = this.gamma
    gamma.oninput = () => this.mixes({ gamma: Number(gamma.value) })
    gamma.onchange = () => this.sends()
  }

  mixes(change, send = false) {
    Object.assign(this, change)
    if (send) this.slide()
    this.draw()
    if (send) this.sends()
  }

  sends() { this.setStateValue("mix", [...this.scores, this.gamma, Number(this.level)]) }

  draw() {
    const { words, said, parts } = this.data, word = words[this.word]
    this.frame.classList.toggle("empty", !word)
    if (!word) return
    this.choices.mark(this.word)
    this.title.textContent = fill(said.answers, { word: word.text })
    this.answers.replaceChildren(...word.answers.map((answer, i) => this.answer(parts[i], answer, word.full)))
    this.scale.textContent = word.scale
    this.levels.checked = this.level
    this.mixture(word)
  }

  answer(name, { rows, rank }, full) {
    const body = el("tbody"), { said } = this.data
    const heads = [said.word, "", said.share].map(text => text ? el("th", { scope: "col" }, el("span", { className: "unseen" }, text)) : el("td"))
    showBars(body, rows, full)
    const columns = ["word", "bar", "share"].map(className => el("col", { className }))
    return el("div", {}, el("table", { className: "bars" }, el("caption", {}, name), el("colgroup", {}, ...columns), el("thead", {}, el("tr", {}, ...heads)), body),
      el("p", { className: "note" }, rank))
  }

  /** What the mix makes of the words, beside what equal weights make of them. */
  mixture(word) {
    const { words, layers, said } = this.data, count = words.length
    const weights = softmax(this.scores), even = layers.map(() => 1 / layers.length)
    const now = mixOf(this.products, layers.length, count, weights, this.level)
    const was = mixOf(this.products, layers.length, count, even, this.level)
    layers.forEach((layer, i) => { this.sliders.children[i].firstChild.textContent = fill(said.weight, { layer, share: `${(100 * weights[i]).toFixed(1)}%` }) })
    this.sliders.lastChild.firstChild.textContent = fill(said.gamma, { gamma: this.gamma.toFixed(1) })
    this.shares.replaceChildren(...weights.map((weight, i) => {
      const part = el("i", { className: `of${i}` })
      part.style.width = `${100 * weight}%`
      return part
    }))
    const means = layers.map((layer, a) => fill(said.weight, { layer, share: mean(this.products, layers.length, count, a).toFixed(1) }))
    this.lengths.textContent = fill(said.lengths, { lengths: means.join(said.comma) })
    const own = this.word, others = words.map((_, i) => i).filter(i => i !== own)
    this.like.textContent = fill(said.like, { word: word.text })
    const rows = others.map(i => ({ word: words[i].text, value: Math.max(0, now.cosine(own, i)), shown: now.cosine(own, i).toFixed(3) }))
    showBars(this.rows, rows, 1)
    others.forEach((i, place) => this.rows.children[place].children[1].style.setProperty("--even", `${100 * Math.max(0, was.cosine(own, i))}%`))
    const best = found => others.reduce((one, i) => one < 0 || found.cosine(own, i) > found.cosine(own, one) ? i : one, -1)
    const [most, before] = [best(now), best(was)]
    this.most.textContent = most < 0 ? "" : fill(said.most, { word: word.text, other: words[most].text, value: now.cosine(own, most).toFixed(3),
      even: words[before].text, was: was.cosine(own, before).toFixed(3) })
    this.length.textContent = fill(said.length, { word: word.text, length: (this.gamma * now.length(own)).toFixed(2) })
  }
}
