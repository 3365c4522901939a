// Buttons of which exactly one is chosen: a group of radio buttons, in which arrow keys move the choice.

class Choices {
  /** `choose(i)` is called when another one was chosen. */
  constructor(choose) {
    Object.assign(this, { choose, buttons: [] })
    this.frame = el("div", { className: "choices", role: "radiogroup" })
    this.frame.onclick = ({ target }) => this.take(this.buttons.indexOf(target.closest("button")))
    this.frame.onkeydown = event => {
      const far = this.buttons.length
      walk(event, this.buttons, { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -far, End: far })
      if (event.defaultPrevented) this.take(this.buttons.indexOf(this.frame.getRootNode().activeElement))
    }
  }

  /** Each is {text, kind}; kind becomes a class. */
  offer(label, items) {
    this.frame.ariaLabel = label
    keep(this.frame, items.length, () => el("button", { type: "button", role: "radio" }))
    this.buttons = [...this.frame.children]
    items.forEach(({ text, kind = "" }, i) => Object.assign(this.buttons[i], { textContent: text, className: `pill ${kind}` }))
  }

  mark(chosen) {
    this.buttons.forEach((button, i) => { button.ariaChecked = String(i === chosen) })
    rove(this.buttons, Math.max(0, chosen))
  }

  take(i) { if (i >= 0) this.choose(i) }
}
