// The row of large words: each a button that hides or shows it, with the spaces and marks between them as they are.

const CLOSING = 200  // milliseconds
const LONG = 600     // UTF-16 units of text; above it the row scrolls

class Chips {
  /** `press(word, i)` is called when a word is chosen, by mouse, finger or key. */
  constructor(press) {
    this.press = press
    this.buttons = []
    this.shown = []   // the words that the buttons stand for, in the same order
    this.current = 0  // the one that Tab reaches; arrows lead to the others
    this.row = el("div", { className: "words", role: "toolbar" })
    hear(this.row, {
      click: ({ target }) => this.choose(this.buttons.indexOf(target.closest(".chip"))),
      focusin: ({ target }) => this.rove(this.buttons.indexOf(target)),
      keydown: event => this.walk(event),
    })
  }

  choose(i) { if (i >= 0) this.press(this.shown[i], i) }

  /** Show the words of a sentence up to `end`, where reading stops. */
  draw(sentence, end, labels) {
    const focused = this.buttons.indexOf(this.row.getRootNode().activeElement)
    const drawn = `${end} ${sentence.text} ${labels.empty}`
    if (this.drawn !== drawn) {
      this.shown = segment(sentence.text.slice(0, end))
      this.buttons = this.shown.map(() => el("button", { type: "button", className: "chip" }))
      this.row.replaceChildren(...this.layOut(sentence.text, end, labels))
      this.row.classList.toggle("long", sentence.text.length > LONG)
      this.drawn = drawn
    }
    const hidden = new Set(sentence.hidden.map(([start]) => start))
    let blanks = 0
    this.shown.forEach((word, i) => {
      const closed = word.blank || hidden.has(word.start)
      if (closed) blanks++
      this.paint(this.buttons[i], word, closed && blanks, labels)
    })
    this.row.classList.toggle("several", blanks > 1)
    this.rove(Math.min(this.current, this.buttons.length - 1))
    if (focused >= 0) this.buttons[this.current]?.focus()
  }

  layOut(text, end, labels) {
    if (!text.trim()) return [el("span", { className: "empty" }, labels.empty)]
    const nodes = []
    let at = 0
    this.shown.forEach((word, i) => {
      nodes.push(text.slice(at, word.start), this.buttons[i])
      at = word.end
    })
    nodes.push(text.slice(at, end))
    if (end < text.length) nodes.push(el("span", { className: "unread" }, el("b", {}, labels.unread), text.slice(end)))
    return nodes
  }

  /** One word, or its pill; `number` counts the pills and is false for a word that is shown. */
  paint(button, word, number, labels) {
    const hint = word.blank ? labels.typeIt : fill(labels.showAgain, { word: word.text })
    button.classList.toggle("hidden", Boolean(number))
    button.setAttribute("aria-pressed", String(Boolean(number)))
    // What is seen comes first in what is said: whoever speaks to the page says what they see.
    button.setAttribute("aria-label", number ? `${number} [MASK]: ${hint}` : word.text)
    const tip = el("span", { className: "tip" }, hint)
    button.replaceChildren(...number ? [el("sup", {}, `${number} `), "[MASK]", tip] : [word.text])
  }

  /** Do `change`, and let button `i` close into its pill or open out of it. */
  animate(i, change) {
    const from = this.buttons[i].getBoundingClientRect().width
    change()
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return
    const to = this.buttons[i].getBoundingClientRect().width
    const steps = [from, to].map(width => ({ width: `${width}px`, whiteSpace: "pre", overflow: "clip" }))
    this.buttons[i].animate(steps, { duration: CLOSING, easing: "ease-in-out" })
  }

  rove(index) {
    this.current = Math.max(0, index)
    this.buttons.forEach((button, i) => { button.tabIndex = i === this.current ? 0 : -1 })
  }

  /** Arrow keys, Home and End; the arrows follow the direction in which the words run. */
  walk(event) {
    const rtl = getComputedStyle(this.row).direction === "rtl", last = this.buttons.length - 1
    const steps = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, Home: -last, End: last }
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    this.buttons[Math.min(last, Math.max(0, this.current + steps[event.key]))]?.focus()
  }

  /** Which word a caret is in or at, -1 for none. */
  at(caret) { return this.shown.findIndex(word => word.start <= caret && caret <= word.end) }

  /** Underline word `index`: the one the keyboard shortcut would hide. */
  mark(index) { this.buttons.forEach((button, i) => button.classList.toggle("caret", i === index)) }
}
