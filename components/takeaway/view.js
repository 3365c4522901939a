// data: { serial, name, label, buttons: [{kind, text}], link: query or null, open: kind or "", content, words }
// -> state "open": the kind of the drawer that is open, "" for none; Python then sends its content
//
// In front of this file stand drawers.js (what the drawers hold) and files.js (downloads, clipboard).

const PAUSE = 60      // milliseconds of silence, so that the same words are read out a second time
const SHOWN = 6_000  // milliseconds that they stay on the screen
const bars = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const bar = bars.get(parentElement) ?? new Bar(parentElement)
  bars.set(parentElement, bar)
  bar.update(data, setStateValue)
  return () => { bar.close(); bars.delete(parentElement) }
}

/** Where the page is being presented, the link leads back there: to this station. */
function presented() {
  const shown = new URLSearchParams(location.search)
  return ["present", "station"].filter(name => shown.has(name)).map(name => `${name}=${encodeURIComponent(shown.get(name))}&`).join("")
}

/** What only the browser knows of the view, such as how heads are sorted, unless the link says it already. */
function unsaid(link) {
  const said = new URLSearchParams(link)
  return Object.entries(window.unmaskLinked ?? {}).filter(([name]) => !said.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}&`).join("")
}

class Bar {
  constructor(root) {
    this.buttons = el("div", { className: "buttons", role: "group" })
    this.status = el("p", { className: "status", role: "status" })
    this.drawer = el("div", { className: "drawer", id: "drawer", hidden: true })
    this.frame = el("div", { className: "takeaway" }, el("div", { className: "bar" }, this.buttons, this.status), this.drawer)
    this.drawer.onkeydown = event => {
      if (event.key !== "Escape") return
      event.preventDefault()  // it closes this drawer and nothing else
      this.toggle(this.open)
    }
    root.append(this.frame)
  }

  close() {
    clearTimeout(this.timer)
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue })
    this.open ??= data.open
    this.buttons.setAttribute("aria-label", data.label)
    this.keepButtons()
    this.draw()
  }

  // Kept from run to run, or the button just pressed would lose the focus.
  keepButtons() {
    const kinds = this.data.buttons.map(({ kind }) => kind)
    if (kinds.join() !== this.kinds?.join()) {
      this.kinds = kinds
      this.buttons.replaceChildren(...kinds.map(kind => this.button(kind)))
    }
    this.data.buttons.forEach(({ text }, i) => { this.buttons.children[i].textContent = text })
    if (this.open && this.open !== "link" && !kinds.includes(this.open)) this.open = ""
  }

  button(kind) {
    const button = el("button", { type: "button", name: kind })
    button.onclick = () => kind === "link" ? this.copyLink(button) : this.toggle(kind)
    if (kind !== "link") button.setAttribute("aria-controls", "drawer")
    return button
  }

  text(kind) { return this.data.buttons.find(button => button.kind === kind)?.text ?? "" }

  toggle(kind) {
    const inside = this.drawer.contains(this.drawer.getRootNode().activeElement)
    const pressed = this.buttons.querySelector(`[name="${kind}"]`)
    this.open = this.open === kind ? "" : kind
    this.opening = Boolean(this.open)
    this.say("")
    this.draw()
    if (inside) pressed.focus()
    this.setStateValue("open", this.open === "link" ? "" : this.open)
  }

  // --- what is seen

  draw() {
    const { open, data } = this, ready = open === data.open
    for (const button of this.buttons.children) {
      if (button.name !== "link") button.setAttribute("aria-expanded", String(button.name === open))
    }
    this.drawer.hidden = !open
    this.drawer.setAttribute("aria-busy", String(Boolean(open) && !ready && open !== "link"))
    if (!open || open === "link") return
    if (ready) this.fill(open, data.content)
    else this.fill("", { note: data.words.wait })
  }

  /** Put a drawer's content in, unless it is there already: what has the focus should keep it. */
  fill(kind, content) {
    const drawn = JSON.stringify([kind, content, this.data.words])
    if (drawn === this.drawn) return
    this.drawn = drawn
    const { actions, body } = kind ? DRAWERS[kind](content, this) : { actions: [], body: [] }
    const note = content.note ? [el("p", { className: "note" }, content.note)] : []
    const top = note.length || actions.length
      ? [el("div", { className: "top" }, ...note, el("div", { className: "actions" }, ...actions))] : []
    this.drawer.replaceChildren(...top, ...body)
    if (kind && this.opening) this.reveal()
  }

  /** Bring a drawer that was just opened into the window, once its content is there. */
  reveal() {
    this.opening = false
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    this.frame.scrollIntoView({ block: "nearest", behavior: still ? "instant" : "smooth" })
  }

  say(text) {
    clearTimeout(this.timer)
    this.status.textContent = ""
    if (!text) return
    this.timer = setTimeout(() => {
      this.status.textContent = text
      this.timer = setTimeout(() => this.say(""), SHOWN)
    }, PAUSE)
  }

  // --- what is taken away

  save(ending, file) {
    const name = `${this.data.name}.${ending}`
    save(this.frame, name, file)
    this.say(this.data.words.saved.replace("{file}", name))
  }

  async copy(text, done, button) {
    const copied = await copyText(text, button)
    this.say(copied ? done : this.data.words.byHand)
    return copied
  }

  /** The address of this page with the view in it. Where copying is forbidden, show it to be copied by hand. */
  async copyLink(button) {
    const { link, words } = this.data
    if (link === null) return this.say(words.tooLong)
    const url = `${location.origin}${location.pathname}?${presented()}${unsaid(link)}${link}`
    if (await this.copy(url, words.linkCopied, button)) return
    this.open = "link"
    this.draw()
    this.fill("link", { url })
    this.drawer.querySelector("input").select()
  }
}
