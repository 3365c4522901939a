// data: {serial, colour: {light, dark}, source: [{text, special, joins}], start, steps: [{text, special, joins, told, rows}], words,
//        cross: float32 column (gaze, step, source token), gazes: [title], gaze, step (-1: none asked for: play once, end at the last),
//        beside: {mark, title, none, told, pairs: [{text, answer, special, masked}]} or null}
//   Which step is shown, and whose attention, is known here alone; links get them as "step" and "gaze".
// In front of this file stand components/shared/elements.js and colours.js.

const QUICK = 160, SLOW = 900   // milliseconds a step: by itself when a text is new, and when played
const LOOKED = 3                // tokens of the source that are named
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -999, End: 999 }
const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Writing(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.close(); views.delete(parentElement) }
}

class Writing {
  constructor(root) {
    this.root = root
    this.title = el("h3")
    this.reads = el("h4")
    this.source = el("p", { className: "tokens source", dir: "auto" })
    this.looks = el("p", { className: "note looks" })
    this.writes = el("h4")
    this.target = el("div", { className: "tokens target", role: "toolbar", dir: "auto" })
    this.target.onkeydown = event => walk(event, this.buttons, STEPS)
    this.told = el("p", { className: "told", role: "status" })
    this.slider = el("input", { type: "range", min: 1, step: 1, oninput: () => this.choose(Number(this.slider.value) - 1) })
    this.label = el("span", { className: "count" })
    this.back = el("button", { type: "button", className: "pill", onclick: () => this.choose(this.step - 1) }, "◀")
    this.on = el("button", { type: "button", className: "pill", onclick: () => this.choose(this.step + 1) }, "▶")
    this.play = el("button", { type: "button", className: "pill play", onclick: () => this.timer ? this.pause() : this.run(SLOW) })
    this.select = el("select", { onchange: () => { this.gaze = this.select.selectedIndex; this.draw() } })
    this.gazes = el("label", {}, el("span"), " ", this.select)
    this.body = el("tbody")
    this.weighs = el("h4")
    this.table = el("table", { className: "bars" }, el("caption", { className: "unseen" }), el("colgroup", {}, ...["word", "track", "share"].map(className => el("col", { className }))), this.body)
    this.scale = el("p", { className: "note" })
    this.beside = el("section", { className: "panel beside" })
    this.frame = el("div", { className: "view writing" },
      el("section", { className: "panel" }, this.title, this.reads, this.source, this.looks, this.writes, this.target,
        el("div", { className: "steps" }, this.play, this.back, this.slider, this.on, this.label, this.gazes), this.told, this.weighs, this.table, this.scale), this.beside)
    root.append(this.frame)
  }

  close() {
    clearInterval(this.timer)
    for (const name of ["step", "gaze"]) linked(name, null)
    this.frame.remove()
  }

  update(data) {
    const before = this.data, same = before && JSON.stringify([before.steps, before.source]) === JSON.stringify([data.steps, data.source])
    const { words, steps } = data
    Object.assign(this, { data, weights: column(data.cross), colours: ramp(this.root, data.colour) })
    if (!before || before.gazes.length !== data.gazes.length) this.gaze = data.gaze
    this.frame.style.setProperty("--mark", data.colour.light)
    this.title.textContent = words.title
    this.reads.textContent = words.reads
    this.writes.textContent = words.writes
    this.weighs.textContent = this.table.caption.textContent = words.weighs
    this.scale.textContent = words.scale
    this.gazes.firstChild.textContent = words.gaze
    this.select.replaceChildren(...data.gazes.map(title => el("option", {}, title)))
    Object.assign(this.slider, { max: steps.length, ariaLabel: words.steps })
    this.back.ariaLabel = words.back
    this.on.ariaLabel = words.on
    this.target.ariaLabel = words.steps
    this.source.replaceChildren(...data.source.map(token => this.read(token)))
    this.target.replaceChildren(el("span", { className: "token special start" }, data.start), ...steps.map((step, i) => this.written(step, i)))
    this.buttons = [...this.target.querySelectorAll("button")]
    this.showBeside()
    if (same) return this.draw()
    this.step = data.step < 0 ? steps.length - 1 : data.step
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    if (data.step < 0 && steps.length > 1 && !still) this.run(QUICK)
    else { this.pause(); this.draw() }
  }

  read({ text, special, joins }) {
    const token = el("span", { className: "token" }, text)
    token.classList.toggle("special", special)
    token.classList.toggle("joins", joins)
    return token
  }

  written({ text, special, joins, told }, i) {
    const button = el("button", { type: "button", className: "token", ariaLabel: told }, text)
    button.classList.toggle("special", special)
    button.classList.toggle("joins", joins && i > 0)
    button.onclick = () => this.choose(i)
    return button
  }

  /** From the first step to the last; whoever presses anything ends it. */
  run(pause) {
    this.pause()
    if (pause === QUICK || this.step >= this.data.steps.length - 1) this.step = 0
    this.draw()
    this.timer = setInterval(() => {
      if (this.step >= this.data.steps.length - 1) return this.pause()
      this.step++
      this.draw()
    }, pause)
    this.play.textContent = this.data.words.pause
    this.tell()
  }

  pause() {
    clearInterval(this.timer)
    this.timer = null
    this.play.textContent = this.data.words.play
    this.tell()
  }

  /** The step in words; while it runs nothing is read out. */
  tell() { this.told.textContent = this.timer ? "" : this.data.steps[this.step]?.told ?? "" }

  choose(step) {
    this.pause()
    this.step = Math.min(this.data.steps.length - 1, Math.max(0, step))
    this.draw()
  }

  draw() {
    const { words, steps, source } = this.data, { step } = this, size = source.length
    if (!steps.length) return
    linked("step", step + 1)
    linked("gaze", this.gaze + 1)
    this.select.selectedIndex = this.gaze
    const row = this.weights.subarray((this.gaze * steps.length + step) * size, (this.gaze * steps.length + step + 1) * size)
    this.source.childNodes.forEach((token, i) => {
      const paint = this.colours.at(row[i]), bright = paint[0] * 0.3 + paint[1] * 0.59 + paint[2] * 0.11 > 140
      token.style.background = css(paint)
      token.style.color = bright ? "#10182a" : "#ffffff"
      token.title = `${(100 * row[i]).toFixed(1)}%`
    })
    const best = [...row.keys()].sort((i, j) => row[j] - row[i]).slice(0, LOOKED)
    const named = best.map(i => fill(words.one, { token: source[i].text, share: `${(100 * row[i]).toFixed(0)}%` })).join(words.comma)
    this.looks.textContent = `${this.data.gazes[this.gaze]}: ${fill(words.looks, { tokens: named })}`
    this.buttons.forEach((button, i) => {
      button.classList.toggle("later", i > step)
      button.setAttribute("aria-pressed", String(i === step))
    })
    rove(this.buttons, step)
    this.slider.value = step + 1
    this.label.textContent = fill(words.step, { step: step + 1, steps: steps.length })
    this.back.disabled = step === 0
    this.on.disabled = step === steps.length - 1
    this.tell()
    showBars(this.body, steps[step].rows, 1)
  }

  showBeside() {
    const { beside, words } = this.data
    this.beside.hidden = !beside
    if (!beside) return
    this.beside.style.setProperty("--mark", beside.mark)
    const cell = ({ text, answer, special, masked }, i) => {
      const pair = el("li", { title: fill(words.position, { position: i + 1 }) }, el("span", { className: "token" }, text), el("span", { className: "arrow", ariaHidden: "true" }, "↓"), el("span", { className: "token answer" }, answer))
      pair.classList.toggle("special", special)
      pair.classList.toggle("masked", masked)
      return pair
    }
    this.beside.replaceChildren(el("h3", {}, beside.title), el("div", { className: "body" }, el("ol", { className: "pairs", dir: "auto" }, ...beside.pairs.map(cell)), el("p", { className: "none" }, beside.none)), el("p", {}, beside.told))
  }
}
