// Where the stations of the page stand, which of them is shown, and how one comes to another.

const STILL = 120      // milliseconds without scrolling, after which a place is taken to be meant
const READING = 0.4    // of the window's height: the station that begins above this line is shown
const stations = new Map()  // the element that marks where it begins -> {name, title}

/** The part of the page that scrolls. It is looked for, not named: its name is Streamlit's own affair. */
function scroller(node) {
  for (let at = node; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return document.scrollingElement
}

/** Which station is shown. It is held in place while the page still grows, until somebody moves. */
class Route {
  /** `arrived(moved)` is called whenever what is shown may have changed; `moved` if by a step. */
  constructor(host, arrived) {
    this.arrived = arrived
    this.window = scroller(host)
    this.current = new URLSearchParams(location.search).get("station") ?? ""
    this.held = Boolean(this.current)
    this.stop = new AbortController()
    const passive = { signal: this.stop.signal, passive: true, capture: true }
    for (const name of ["wheel", "touchmove", "keydown"]) {
      document.addEventListener(name, () => { this.held = false }, passive)
    }
    // A press on the scroll bar moves the page; one on a button, such as the language, does not.
    const bar = event => { if (event.composedPath()[0] === this.window) this.held = false }
    document.addEventListener("pointerdown", bar, passive)
    document.addEventListener("scroll", () => this.scrolled(), passive)
    this.sizes = new ResizeObserver(() => this.hold())
    for (const part of [this.window, ...this.window.children]) this.sizes.observe(part)
  }

  close() {
    clearTimeout(this.timer)
    this.stop.abort()
    this.sizes.disconnect()
  }

  /** All stations from top to bottom: [{mark, name, title}]. */
  get all() {
    const follows = (a, b) => a.mark.compareDocumentPosition(b.mark) & Node.DOCUMENT_POSITION_FOLLOWING
    return [...stations].map(([mark, facts]) => ({ mark, ...facts })).sort((a, b) => follows(a, b) ? -1 : 1)
  }

  /** The place of the station that is shown, from 0. */
  get index() {
    const { all } = this, named = all.findIndex(({ name }) => name === this.current)
    if (named >= 0) return named
    const line = this.window.getBoundingClientRect().top + READING * this.window.clientHeight
    return Math.max(0, all.findLastIndex(({ mark }) => mark.getBoundingClientRect().top <= line))
  }

  /** Go `by` stations on; false if there is none. */
  step(by) {
    const next = this.all[this.index + by]
    if (!next) return false
    this.current = next.name
    this.held = true
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    next.mark.scrollIntoView({ behavior: still ? "instant" : "smooth" })
    this.arrived(true)
    return true
  }

  /** Something above or below has changed its height, or a station has come or gone. */
  hold() {
    const place = this.held && this.all.find(({ name }) => name === this.current)
    if (place) place.mark.scrollIntoView({ behavior: "instant" })
    this.arrived(false)
  }

  scrolled() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      if (this.held) return
      this.current = ""
      this.current = this.all[this.index]?.name ?? ""
      this.arrived(false)
    }, STILL)
  }
}
