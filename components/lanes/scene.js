// The words of a lane in one row, and over them the arcs that lead to the blank in focus.

const SVG = "http://www.w3.org/2000/svg"
const PER_BIT = 14    // pixels of width; a word that changes the answer wholly would have 1 bit
const HAIR = 0.7      // pixels: the thinnest arc, so that none is lost
const RISE = 0.28     // how much of the distance that it spans an arc rises

const width = bits => Math.max(HAIR, bits * PER_BIT)
const strength = bits => 0.5 + 0.45 * Math.min(1, bits / 0.4)

class Scene {
  /** Called when a blank is to get the focus, when a word is looked at (by where it starts in the
      text, -1 for none), and when a long sentence is moved. */
  constructor({ choose, point, move }) {
    Object.assign(this, { choose, point, move })
    this.words = []
    this.buttons = []
    this.current = 0      // the word that Tab reaches; arrow keys lead to the others
    this.arcs = []        // for each word {bits, shown} or null
    this.picture = document.createElementNS(SVG, "svg")
    this.picture.setAttribute("role", "img")
    this.row = el("div", { className: "row", role: "toolbar", dir: "auto" })
    this.sheet = el("div", { className: "sheet" }, this.picture, this.row)
    this.window = el("div", { className: "scene" }, this.sheet)
    this.readout = el("p", { className: "readout" })
    this.frame = el("div", { className: "picture" }, this.window, this.readout)
    this.sizes = new ResizeObserver(() => this.layOut())
    this.sizes.observe(this.sheet)
    this.listen()
  }

  listen() {
    const at = ({ target }) => this.buttons.indexOf(target.closest("button"))
    Object.assign(this.row, {
      onpointerover: event => this.look(at(event)),
      onpointerleave: () => this.look(-1),
      onclick: event => this.press(at(event)),
      onkeydown: event => this.walk(event),
    })
    this.row.addEventListener("focusin", event => { this.rove(at(event)); this.look(at(event)) })
    this.row.addEventListener("focusout", () => this.look(-1))
    this.window.onscroll = () => { this.fade(); this.move(this.window.scrollLeft) }
  }

  look(i) { this.point(this.words[i]?.start ?? -1) }

  /** Another question: what remains of the arcs is dimmed until `measured` brings those for it. */
  ask(lane, focus, labels) {
    const { words, at, focus: last, arcs, model } = this, before = { words, at, focus: last, arcs, model }
    const same = before.words.map(word => word.text).join("\n") === lane.words.map(word => word.text).join("\n")
    Object.assign(this, { words: lane.words, model: lane.model, blank: lane.blanks[focus], focus, labels })
    Object.assign(this, { unmeasured: lane.unmeasured, measured: false })
    this.at = lane.words.findIndex(word => word.blank === focus)
    this.row.ariaLabel = fill(labels.row, lane)
    keep(this.row, lane.words.length, () => el("button", { type: "button" }))
    this.buttons = [...this.row.children]
    this.words.forEach((word, i) => this.paint(this.buttons[i], word, this.seen(i)))
    this.rove(Math.min(this.current, this.words.length - 1))
    this.arcs = this.carry(before)
    this.draw(false)
    if (!same || before.focus !== focus) this.bringBlankIntoView()
  }

  /** Earlier arcs that may stay for now: the same word at the same distance from the same blank. */
  carry({ words, at, focus, arcs, model }) {
    const blanks = list => list.filter(word => word.blank !== null).length
    const kept = model === this.model && at >= 0 && this.at >= 0 && focus === this.focus && blanks(words) === blanks(this.words)
    return this.words.map((word, i) => {
      const old = i - this.at + at, same = words[old]?.text === word.text && words[old].blank === word.blank
      return (kept && same && !this.unmeasured && arcs[old]) || null
    })
  }

  /** The arcs for the question that is shown. */
  follow({ values, unmeasured }) {
    Object.assign(this, { measured: true, unmeasured })
    this.arcs = values ?? this.words.map(() => null)
    this.draw(true)
  }

  /** Whether this model looks at a word, or a blank, before it answers the blank in focus. */
  seen(i) { return this.blank?.seen[i] ?? true }

  /** What this model itself put into another blank, which it cannot read empty. */
  guess({ blank }) { return this.blank?.guesses[blank] }

  paint(button, word, seen) {
    const blank = word.blank !== null, guess = blank && this.guess(word), chosen = blank && word.blank === this.focus
    const several = this.words.filter(other => other.blank !== null).length > 1
    const number = blank && several ? word.blank + 1 : ""
    button.className = blank ? "blank" : "word"
    for (const [name, on] of Object.entries({ chosen, guess, unseen: !seen })) button.classList.toggle(name, Boolean(on))
    button.textContent = guess ? guess.word : blank ? number : word.text
    button.dataset.number = number // of a guess, beside its word
    if (blank) button.setAttribute("aria-pressed", String(chosen))
    else button.removeAttribute("aria-pressed")
    button.setAttribute("aria-label", blank && !chosen ? this.about(word, seen) : this.named(word))
  }

  /** The places of the blanks: lanes give each the same width. */
  blanks() {
    return this.words.flatMap(({ blank, start }, i) => blank === null ? [] : [{ start, button: this.buttons[i] }])
  }

  named({ blank, text }) { return blank === null ? text : fill(this.labels.blank, { number: blank + 1 }) }

  /** How this model meets a blank that is not in focus. */
  about(word, seen) {
    const { labels } = this, number = word.blank + 1, guess = this.guess(word)
    if (guess) return fill(labels.guess, { number, ...guess })
    return fill(seen ? labels.blank : labels.unread, { number })
  }

  draw(fresh) {
    this.picture.classList.toggle("old", !fresh)
    keep(this.picture, this.words.length, () => document.createElementNS(SVG, "path"))
    this.paths = [...this.picture.children]
    this.paths.forEach((path, i) => {
      const bits = this.arcs[i]?.bits
      path.style.display = bits === undefined ? "none" : ""
      path.style.strokeWidth = `${width(bits ?? 0)}px`
      path.style.setProperty("--strength", strength(bits ?? 0))
      path.onpointerenter = () => this.look(i)
      path.onpointerleave = () => this.look(-1)
      const word = this.words[i]
      if (word.blank === null) this.buttons[i].setAttribute("aria-label", ((fresh || !this.seen(i)) && this.say(i)) || word.text)
    })
    this.layOut()
    this.light(this.lit ?? -1)
    this.picture.setAttribute("aria-label", this.widest() || this.labels.measuring)
  }

  /** Put every arc where its word stands. */
  layOut() {
    if (!this.buttons.length || !this.sheet.clientWidth) return
    const middle = button => button.offsetLeft + button.offsetWidth / 2
    const places = this.buttons.map(middle), to = places[this.at] ?? 0
    const floor = this.picture.clientHeight - 1, furthest = Math.max(1, ...places.map(x => Math.abs(x - to)))
    const rise = Math.min(RISE, (floor - 22) / furthest)
    this.paths?.forEach((path, i) => {
      const from = places[i], top = floor - (12 + rise * Math.abs(from - to)) * 4 / 3
      path.setAttribute("d", `M${from} ${floor}C${from} ${top} ${to} ${top} ${to} ${floor}`)
    })
    this.fade()
  }

  /** The word that starts there is looked at, in this lane or in another. */
  pointed(start) { this.light(start < 0 ? -1 : this.words.findIndex(word => word.start === start)) }

  /** Light one word and its arc, or none; without one, the readout tells the widest. */
  light(i) {
    this.lit = i
    const on = i >= 0 && i !== this.at
    this.frame.classList.toggle("lit", on && Boolean(this.arcs[i]))
    this.buttons.forEach((button, j) => button.classList.toggle("on", on && j === i))
    this.paths?.forEach((path, j) => path.classList.toggle("on", on && j === i))
    this.readout.textContent = (on && this.say(i)) || this.rest()
  }

  say(i) {
    const word = this.words[i], { labels } = this
    if (!word) return ""
    if (word.blank !== null) {
      const other = this.guess(word) || !this.seen(i)
      return other ? this.about(word, this.seen(i)) : fill(labels.choose, { number: word.blank + 1 })
    }
    if (!this.seen(i)) return fill(labels.unseen, { word: word.text })
    const arc = this.measured && this.arcs[i]
    return arc ? fill(labels.one, { word: word.text, bits: arc.shown }) : ""
  }

  rest() {
    if (this.at < 0) return ""
    return this.unmeasured || (this.measured ? this.widest() : this.labels.measuring)
  }

  widest() {
    const bits = this.arcs.map(arc => arc?.bits ?? -1), i = bits.indexOf(Math.max(...bits))
    if (!this.measured || !(bits[i] >= 0)) return ""
    return fill(this.labels.widest, { word: this.words[i].text, bits: this.arcs[i].shown })
  }

  press(i) {
    const blank = this.words[i]?.blank ?? null
    if (blank !== null && blank !== this.focus) this.choose(blank)
    else this.look(i)
  }

  rove(index) {
    this.current = Math.max(0, index)
    this.buttons.forEach((button, i) => { button.tabIndex = i === this.current ? 0 : -1 })
  }

  /** Arrow keys, Home and End, in the direction in which the words run. */
  walk(event) {
    const rtl = getComputedStyle(this.row).direction === "rtl", last = this.buttons.length - 1
    const steps = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, Home: -last, End: last }
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    this.buttons[Math.min(last, Math.max(0, this.current + steps[event.key]))]?.focus()
  }

  moved(left) {
    if (Math.abs(this.window.scrollLeft - left) > 1) this.window.scrollLeft = left
  }

  /** A long sentence scrolls: never let the blank be out of sight when it has moved. */
  bringBlankIntoView() {
    const blank = this.buttons[this.at]?.getBoundingClientRect(), seen = this.window.getBoundingClientRect()
    if (!blank || (blank.left > seen.left + 32 && blank.right < seen.right - 32)) return
    this.window.scrollLeft += (blank.left + blank.right - seen.left - seen.right) / 2
  }

  /** Soften an edge behind which there is more. */
  fade() {
    const { scrollLeft, scrollWidth, clientWidth } = this.window, at = Math.abs(scrollLeft), rest = scrollWidth - clientWidth - at
    const ends = getComputedStyle(this.row).direction === "rtl" ? [rest, at] : [at, rest]
    this.window.classList.toggle("before", ends[0] > 4)
    this.window.classList.toggle("after", ends[1] > 4)
  }
}
