// data: { key, revision, link, sentence: { text, hidden }, limit, most, examples: [sentence], words }
// -> state "sentence": { text, hidden, revision }
//
// The strip owns its sentence: Python sets it by a new `revision` only, so no rerun can take text or caret away.
// In front of this file stand chips.js (the words), keeping.js (what outlives the strip) and sentence.js (what an edit
// does to hidden words).

// Milliseconds between two reports to Python. Where a page tells that it has answered, the next one waits for that
// (at most PATIENCE), so that quick typing never piles up questions; elsewhere it waits for UNHEARD.
const PAUSE = 60, PATIENCE = 800, UNHEARD = 120
const strips = new WeakMap()   // one Strip for each place in the page

export default function ({ data, parentElement, setStateValue }) {
  const strip = strips.get(parentElement) ?? new Strip(parentElement)
  strips.set(parentElement, strip)
  strip.update(data, setStateValue)
  return () => { strip.close(); strips.delete(parentElement) }
}

/** An element with properties (attributes, where it has no such property) and children. */
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (name in node) node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

/** Listen to several events; abort what this returns to stop. */
function hear(target, listeners) {
  const stop = new AbortController()
  for (const [name, listener] of Object.entries(listeners)) target.addEventListener(name, listener, { signal: stop.signal })
  return stop
}

function fill(template, values) { return template.replace(/\{(\w+)\}/g, (_, name) => values[name]) }

class Strip {
  constructor(root) {
    this.chips = new Chips((word, i) => this.press(word, i))
    this.mirror = el("div", { className: "mirror", ariaHidden: "true" })
    this.line = el("textarea", { rows: 1, dir: "auto", spellcheck: false, autocapitalize: "off" })
    this.hint = el("span")
    this.space = document.createTextNode(" ")
    this.keys = el("span", { className: "keys" })
    this.count = el("p", { className: "count" })
    this.over = el("p", { className: "tooLong", hidden: true })
    this.tools = ["undo", "redo", "clear"].map(name => el("button", { type: "button", className: "tool", name }))
    this.examples = el("div", { className: "examples", role: "group" })
    this.said = el("div", { className: "said", role: "status" })
    const field = el("div", { className: "field" }, el("div", { className: "editor" }, this.mirror, this.line))
    const hint = el("p", { className: "hint", id: "hint" }, this.hint, this.space, this.keys)
    const foot = el("div", { className: "foot" }, hint, this.count, el("div", { className: "tools" }, ...this.tools))
    const card = el("div", { className: "card" }, this.chips.row, field, this.over, foot)
    this.frame = el("div", { className: "strip" }, card, this.examples, this.said)
    Object.assign(this, { answered: true, sentAt: 0 })
    root.append(this.frame)
    // Streamlit fades what a run has not reached yet; nobody is to type into a fading line.
    root.host.closest("[data-testid=stElementContainer]")?.style.setProperty("opacity", "1", "important")
    this.listen()
  }

  listen() {
    this.line.setAttribute("aria-describedby", "hint")
    hear(this.line, {
      input: ({ isComposing }) => isComposing || this.typed(),
      compositionend: () => this.typed(),
      beforeinput: event => {
        const { inputType } = event, history = inputType.startsWith("history")
        if (!history && !["insertLineBreak", "insertParagraph"].includes(inputType)) return
        event.preventDefault()
        if (history) this.step(inputType === "historyUndo")  // the browser's own knows nothing of hidden words
        else this.sendNow()
      },
    })
    // Safari ends composing before the key that ends it: there, only the code 229 tells.
    hear(this.frame, { keydown: event => event.isComposing || event.keyCode === 229 || this.key(event) })
    const actions = [() => this.step(true), () => this.step(false), () => this.clear()]
    this.tools.forEach((tool, i) => hear(tool, { click: actions[i] }))
    this.outside = hear(document, {
      "unmask:fill": ({ detail }) => this.fillIn(detail),
      "unmask:read": ({ detail }) => this.wasRead(detail),
      "unmask:take": ({ detail }) => detail.key === this.data.key && this.take(fromWire(detail.sentence)),
      "unmask:sentence": ({ detail }) => { detail.marked = marked(this.now) },
      selectionchange: () => this.showCaret(),
    })
    this.leaving = hear(window, { pagehide: () => store(this.now) })
  }

  close() {
    clearTimeout(this.timer)
    this.outside.abort()
    this.leaving.abort()
    this.frame.remove()
  }

  /** New data from Python: words and limits at any time, a sentence only with a new revision. */
  update(data, setStateValue) {
    const fresh = data.revision !== this.data?.revision
    Object.assign(this, { data, setStateValue })
    this.line.maxLength = data.most
    this.dress()
    if (fresh) this.begin(fromWire(data.sentence))
    else this.draw()
  }

  /** Take up the sentence from Python, or the one that was left on another page or before a reload. */
  begin(sentence) {
    this.history = resume(oneLine(sentence), this.data.link)
    this.show(this.history.now)
    if (JSON.stringify(this.now) === JSON.stringify(sentence)) this.sent = this.now
    this.report()
  }

  // --- what a visitor does

  typed() {
    const { value, selectionStart, selectionEnd } = this.line, { text } = oneLine({ text: value })
    if (text !== value) {  // pasted lines
      this.line.value = text
      this.line.setSelectionRange(selectionStart, selectionEnd)
    }
    this.change(edit(this.now, text), "typing")
    this.said.textContent = ""
  }

  /** Hide a word or show it again. A typed [MASK] has no word to show: offer to type one in its place. */
  press(word, i) {
    if (word.blank) {
      this.line.focus()
      return this.line.setSelectionRange(word.start, word.end)
    }
    this.chips.animate(i, () => this.change(toggle(this.now, word)))
    const hidden = this.now.hidden.some(([start]) => start === word.start)
    this.say(fill(this.data.words[hidden ? "saidHidden" : "saidShown"], { word: word.text }))
  }

  key(event) {
    const name = event.key.toLowerCase(), command = (event.ctrlKey || event.metaKey) && !event.altKey
    if (name === "enter" && event.target === this.line && !command) {
      event.preventDefault()
      return this.sendNow()
    }
    if (!command || !["z", "y", "enter"].includes(name)) return
    if (name === "enter" && event.target !== this.line) return
    event.preventDefault()
    if (name === "enter") this.chips.choose(this.chips.at(this.line.selectionStart))
    else this.step(name === "z" && !event.shiftKey)
  }

  clear() {
    if (this.now.text) {
      this.change({ text: "", hidden: [] })
      this.say(this.data.words.saidCleared)
    }
    this.line.focus()
  }

  step(back) {
    const sentence = this.history.step(back)
    if (!sentence) return
    this.adopt(sentence)
    this.say(this.data.words[back ? "saidUndone" : "saidRedone"])
  }

  /** A bar of the answers was chosen: its word takes the place of the blank, if that is still the same blank. */
  fillIn({ key, text, span, word }) {
    if (key !== this.data.key || text !== this.now.text) return
    this.change(put(this.now, span.map(at => units(text, at)), word))
    this.say(fill(this.data.words.saidFilled, { word }))
  }

  /** An answer is on the page; it says how many code points of `text` the model has read. */
  wasRead({ key, text, read }) {
    if (key !== this.data.key) return
    this.read = { text, read }
    this.answered = true
    this.report()
    this.draw()
  }

  // --- the sentence

  /** A new sentence, undoable; quick changes of one group are undone together. */
  change(sentence, group = "") {
    this.history.push(sentence, group)
    this.adopt(sentence)
  }

  /** First the question, then the picture of it: drawing takes as long as the answer is on its way. */
  adopt(sentence) {
    this.now = sentence
    this.report()
    this.show(sentence)
  }

  /** Tell Python of the newest sentence, unless it knows it. */
  report() {
    clearTimeout(this.timer)
    if (this.now === this.sent) return
    const pause = !this.read ? UNHEARD : this.answered ? PAUSE : PATIENCE, wait = this.sentAt + pause - Date.now()
    if (wait > 0) this.timer = setTimeout(() => this.send(), wait)
    else this.send()
  }

  /** Whoever presses Enter wants the answer now. */
  sendNow() {
    if (this.now === this.sent) return
    clearTimeout(this.timer)
    this.send()
  }

  send() {
    Object.assign(this, { sent: this.now, sentAt: Date.now(), answered: false })
    store(this.now)
    this.setStateValue("sentence", { ...toWire(this.now), revision: this.data.revision })
  }

  // --- what a visitor sees

  show(sentence) {
    this.now = sentence
    if (this.line.value !== sentence.text) this.line.value = sentence.text
    this.draw()
  }

  /** Labels, hints and examples: all that does not change with the sentence. */
  dress() {
    const { words, examples } = this.data, dressed = JSON.stringify([words, examples])
    if (dressed === this.dressed) return  // an example that has the focus must keep it
    this.dressed = dressed
    this.chips.row.ariaLabel = words.chips
    Object.assign(this.line, { ariaLabel: words.line, placeholder: words.placeholder })
    this.hint.textContent = words.hint
    this.space.data = words.space
    this.keys.textContent = words.keys
    for (const tool of this.tools) tool.textContent = words[tool.name]
    this.examples.hidden = !examples.length
    this.examples.ariaLabel = words.examples
    const offers = examples.map(wire => this.offer(fromWire(wire)))
    this.examples.replaceChildren(el("span", { className: "try" }, words.examples), ...offers)
  }

  /** An example was chosen, here or elsewhere on the page. */
  take(sentence) {
    this.change(sentence)
    this.say(this.data.words.saidExample)
  }

  offer(sentence) {
    const shown = pieces(sentence, () => el("span", { className: "gap" }, "[MASK]"))
    const button = el("button", { type: "button", className: "example", dir: "auto" }, ...shown)
    hear(button, { click: () => this.take(sentence) })
    return button
  }

  draw() {
    const { text } = this.now, { limit, words } = this.data, { past, future } = this.history
    this.tools.forEach((tool, i) => { tool.ariaDisabled = String(![past.length, future.length, text][i]) })
    const length = points(text), shown = count => count.toLocaleString(document.documentElement.lang)
    this.count.textContent = length < 0.8 * limit ? "" : fill(words.count, { length: shown(length), limit: shown(limit) })
    this.count.classList.toggle("over", length > limit)
    // A line break at the end has no height without something after it.
    this.mirror.replaceChildren(...pieces(this.now, word => el("mark", {}, word)), "\u200B")
    this.chips.row.dir = getComputedStyle(this.line).direction  // what `auto` found; buttons would not tell it
    const read = Math.min((this.read?.text === text ? this.read.read : null) ?? limit, limit)
    this.over.textContent = read < length ? fill(words.tooLong, { read: shown(read) }) : ""
    this.over.hidden = read >= length
    this.chips.draw(this.now, units(text, read), words)
    this.showCaret()
  }

  showCaret() {
    const typing = this.line.getRootNode().activeElement === this.line
    this.chips.mark(typing ? this.chips.at(this.line.selectionStart) : -1)
  }

  /** Tell it to a screen reader; the same words twice must differ, or the second time is silent. */
  say(text) { this.said.textContent = text === this.said.textContent ? `${text}\u00A0` : text }
}
