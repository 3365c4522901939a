// data of a station: {station, title}; the place where it is mounted is where it begins
// data of the way in: {enter, hint, language} -> trigger "enter"
// data of the counter: {words, language, page} -> triggers "leave", and "arrived" by a link without Streamlit's part
// asks the strip "unmask:sentence" for the sentence, as a link has it
// In front of this file stands stations.js (which station is shown, and the way to another).

const LARGE = 1.5
const NARROW = 340          // pixels of small type that a row must hold: on a phone type cannot be much larger
const LONGEST_LINK = 8_000  // characters of a query that servers and proxies commonly accept
// What has a use of its own for the keys keeps them: whoever types, chooses or scrolls there is not presenting.
const OWN = ["input", "textarea", "select", "[contenteditable]", "[role=slider]", "[role=listbox]", "[role=menu]", "[role=dialog]"].join()
// `embed` is Streamlit's own word for: leave out the toolbar with its menu.
const PRESENTED = { present: "1", embed: "true" }
let stage = null

export default function ({ data, parentElement, setTriggerValue }) {
  if (data.station) return mark(parentElement, data)
  if (data.enter) return offer(parentElement, data, () => setTriggerValue("enter", true))
  stage ??= new Stage(parentElement)
  stage.update(data, setTriggerValue)
  return () => { stage?.close(); stage = null }
}

function el(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props)
  node.append(...children)
  return node
}

function fill(template, values) { return template.replace(/\{(\w+)\}/g, (_, name) => values[name]) }

/** A station begins here. */
function mark({ host }, { station, title }) {
  stations.set(host, { name: station, title })
  stage?.route.hold()
  return () => { stations.delete(host); stage?.route.hold() }
}

/** The way in. The sentence is asked for when the link is about to be used: it would be sent anew with every key. */
function offer(root, { enter, hint, language }, go) {
  const link = root.querySelector("a") ?? root.appendChild(el("a", { className: "enter" }, el("i"), el("span")))
  link.lastChild.textContent = link.ariaLabel = enter
  link.title = hint
  const aim = () => { link.href = `?${presented(language)}` }
  link.onpointerenter = link.onpointerdown = link.onfocus = aim
  link.onclick = event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return  // in another tab or window
    event.preventDefault()
    address({ ...PRESENTED, lang: language })
    go()
  }
  link.href ||= "?present=1"
  return () => link.remove()
}

/** The query of this page when it is presented, with the sentence as it stands now if a link can hold it. */
function presented(language) {
  const query = new URLSearchParams(location.search), asked = { marked: "" }
  document.dispatchEvent(new CustomEvent("unmask:sentence", { detail: asked }))
  query.delete("text")
  if (asked.marked) query.set("text", asked.marked)
  query.set("present", "1")
  query.set("lang", language)
  if (query.toString().length > LONGEST_LINK) query.delete("text")  // the tab has it in its own storage
  return query
}

/** Change the address so that it restores this view; nothing is loaded. */
function address(changes) {
  const url = new URL(location), { searchParams: query } = url
  for (const [name, value] of Object.entries(changes)) value === null ? query.delete(name) : query.set(name, value)
  if (url.href !== location.href) history.replaceState(history.state, "", url)
}

/** Whether it is a text with nothing to scroll: the browser would scroll the page away under whoever types. */
const line = node => node.matches("input, textarea") && node.scrollHeight <= node.clientHeight + 1

class Stage {
  constructor(root) {
    const button = (name, sign) => el("button", { type: "button", name, textContent: sign, onclick: () => this[name]() })
    this.place = el("span", { className: "place", ariaHidden: "true" })
    this.status = el("span", { className: "unseen", role: "status" })
    this.buttons = [button("back", "‹"), button("on", "›"), button("leave", "×")]
    const [back, on, leave] = this.buttons
    this.frame = el("div", { className: "counter", role: "group" }, back, this.place, on, leave, this.status)
    root.append(this.frame)
    this.enlarge()
    this.route = new Route(root.host, moved => this.draw(moved))
    document.addEventListener("keydown", event => this.key(event), { signal: this.route.stop.signal })
  }

  // Streamlit and our components measure in rem: one size for the root makes all type larger, without a style
  // sheet that would have to know Streamlit's own elements.
  enlarge() {
    const root = document.documentElement, size = parseFloat(getComputedStyle(root).fontSize)
    this.before = root.style.fontSize
    root.style.fontSize = `${size * Math.min(LARGE, Math.max(1, innerWidth / NARROW))}px`
  }

  close() {
    document.documentElement.style.fontSize = this.before
    this.route.close()
    this.frame.remove()
  }

  update(data, tell) {
    Object.assign(this, { data, tell })
    this.frame.ariaLabel = data.words.label
    this.place.title = data.words.hint
    for (const button of this.buttons) button.ariaLabel = button.title = data.words[button.name]
    this.draw(false)
    this.embed()
  }

  /** Streamlit reads the address when something runs: after a link without `embed` that has to be asked for. */
  embed() {
    if (new URLSearchParams(location.search).get("embed")) return
    address(PRESENTED)
    this.tell("arrived", true)
  }

  back() { this.route.step(-1) }
  on() { this.route.step(1) }

  leave() {
    this.left = true
    address({ present: null, station: null, embed: window.parent === window ? null : "true" })
    this.tell("leave", true)
  }

  key(event) {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const step = { PageDown: 1, PageUp: -1 }[event.key], taken = this.owner(event)
    if (step && (taken ? line(taken) : this.route.step(step))) event.preventDefault()
    if (event.key !== "Escape") return
    if (!taken) this.leave()
    else if (taken.matches("input, textarea")) taken.blur()  // out of the text first, so that the keys step again
  }

  /** What has the focus and its own use for the keys, if anything has; a part that scrolls, too. */
  owner(event) {
    const path = event.composedPath(), inside = path.slice(0, path.indexOf(this.route.window))
    return inside.find(node => node.matches?.(OWN) || (node.tabIndex >= 0 && node.scrollHeight > node.clientHeight + 1
      && /auto|scroll/.test(getComputedStyle(node).overflowY)))
  }

  draw(moved) {
    const { all, index } = this.route, { words } = this.data, values = { number: index + 1, count: all.length, title: all[index]?.title }
    this.frame.classList.toggle("empty", !all.length)
    this.place.textContent = `${index + 1} / ${all.length}`
    // Not disabled: the button just pressed would lose the focus at either end.
    this.buttons[0].ariaDisabled = String(index === 0)
    this.buttons[1].ariaDisabled = String(index >= all.length - 1)
    if (moved) this.status.textContent = fill(words.said, values)
    // Not before a station is there: what the address asks for may still be on its way.
    if (all.length && !this.left) address({ present: "1", lang: this.data.language, station: this.route.current || null })
  }
}
