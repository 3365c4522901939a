// data: {serial, colour, headline, log_p: column of all log-probabilities, the most probable first, shown, writing, room, words,
//        rows: [{id, word, ends, chosen, tried}], settings: {way, temperature, top_k, top_p, seed, length}}
//   -> trigger "go": {action: "one", "run", "force" or "stop", token, and the settings}
//   -> state "settings": the same settings, once the visitor rests
// In front of this file stand components/shared/elements.js and colours.js, and cutting.js (the arithmetic).

const REST = 700      // milliseconds; a slider that moves is not to run the page
const TOP_K = [0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 5000]
const LENGTHS = [5, 10, 30, 60, 100]
const WIDE = 320, HIGH = 92, FOOT = 18
const views = new WeakMap()

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const view = views.get(parentElement) ?? new NextTokens(parentElement, data)
  views.set(parentElement, view)
  view.update(data, setStateValue, setTriggerValue)
  return () => { view.close(); views.delete(parentElement) }
}

const percent = share => share > 0 && share < 0.001 ? "< 0.1%" : `${(100 * share).toFixed(1)}%`

class NextTokens {
  constructor(root, { settings }) {
    this.settings = { ...settings }
    this.headline = el("p", { className: "headline" })
    this.ways = el("div", { className: "ways", role: "group" }, ...["greedy", "draw"].map(way => this.way(way)))
    this.sliders = el("div", { className: "sliders" }, this.slider("temperature", { min: 0.1, max: 2, step: 0.05 }),
      this.slider("top_k", { min: 0, max: TOP_K.length - 1, step: 1 }), this.slider("top_p", { min: 0.05, max: 1, step: 0.01 }))
    this.told = el("p", { className: "told" })
    this.entropy = el("p", { className: "note" })
    this.curve = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", class: "curve" })
    this.body = el("tbody")
    const heading = className => el("th", { className, scope: "col" })
    this.head = el("tr", {}, heading("word"), el("td"), heading("share"), heading("share"))
    this.table = el("table", { className: "bars" }, el("colgroup", {}, ...["word", "track", "share", "share"].map(className => el("col", { className }))),
      el("thead", {}, this.head), this.body)
    this.more = el("button", { type: "button", className: "pill" })
    this.more.onclick = () => { this.all = !this.all; this.draw() }
    this.actions = el("div", { className: "actions" })
    this.frame = el("div", { className: "view next" }, el("section", { className: "panel" }, this.headline, this.ways, this.sliders,
      this.actions, this.told, this.curve, this.entropy, this.table, this.more))
    root.host.closest("[data-testid=stElementContainer]")?.style.setProperty("opacity", "1", "important")
    root.append(this.frame)
  }

  close() {
    clearTimeout(this.timer)
    for (const name of Object.keys(this.settings)) linked(name, null)
    this.frame.remove()
  }

  update(data, setStateValue, setTriggerValue) {
    Object.assign(this, { data, setStateValue, setTriggerValue, logits: column(data.log_p) })
    const { words } = data
    this.frame.style.setProperty("--mark", data.colour)
    this.frame.classList.toggle("writing", data.writing)
    this.headline.textContent = data.headline
    this.ways.ariaLabel = words.way
    ;["word", "before", "after"].forEach((name, i) => { this.head.children[i && i + 1].textContent = words[name === "word" ? "token" : name] })
    for (const name of ["temperature", "top_k", "top_p"]) this.sliders.querySelector(`[name=${name}]`).parentNode.firstChild.textContent = words[name]
    this.dressActions()
    this.draw()
  }

  way(way) {
    const button = el("button", { type: "button", className: "pill", name: way })
    button.onclick = () => this.change({ way })
    return button
  }

  slider(name, range) {
    const input = el("input", { type: "range", name, ...range })
    input.oninput = () => this.change({ [name]: name === "top_k" ? TOP_K[input.value] : Number(input.value) })
    return el("label", {}, el("span"), input, el("output"))
  }

  /** Steps and runs, what they are to draw with, and stop instead while the model writes. */
  dressActions() {
    const { words, writing, room } = this.data, { length, seed } = this.settings
    if (writing) {
      const stop = el("button", { type: "button", className: "pill go stop" }, words.stop)
      stop.onclick = () => this.go("stop")
      return this.actions.replaceChildren(stop)
    }
    const button = (text, action) => Object.assign(el("button", { type: "button", className: "pill go", disabled: room < 1 }, text), { onclick: () => this.go(action) })
    this.run = button("", "run")
    const select = el("select", { ariaLabel: words.length }, ...LENGTHS.map(count => el("option", { value: count, selected: count === length }, String(count))))
    if (!LENGTHS.includes(length)) select.prepend(el("option", { value: length, selected: true }, String(length)))
    select.onchange = () => this.change({ length: Number(select.value) })
    this.seed = el("input", { type: "number", min: 0, max: 9999, step: 1, value: seed, ariaLabel: words.seed })
    this.seed.onchange = () => this.change({ seed: Math.min(9999, Math.max(0, Math.round(Number(this.seed.value)) || 0)) })
    const again = Object.assign(el("button", { type: "button", className: "pill" }, words.again), { onclick: () => this.change({ seed: (this.settings.seed + 1) % 10000 }) })
    this.chance = el("span", { className: "chance" }, el("label", {}, words.seed, " ", this.seed), again)
    this.actions.replaceChildren(button(words.one, "one"), el("span", { className: "runs" }, this.run, select), this.chance,
      ...room < 1 ? [el("span", { className: "note" }, words.full)] : [])
  }

  /** A setting has changed: the picture at once, the page once nothing moves any more. */
  change(some) {
    Object.assign(this.settings, some)
    this.draw()
    clearTimeout(this.timer)
    if (!this.data.writing) this.timer = setTimeout(() => this.setStateValue("settings", { ...this.settings }), REST)
  }

  go(action, token = null) {
    clearTimeout(this.timer)
    if (this.data.writing && action !== "stop") return
    this.setTriggerValue("go", { action, token, ...this.settings })
  }

  draw() {
    const { words, rows, shown, writing } = this.data, { settings } = this, chance = settings.way === "draw"
    for (const [name, value] of Object.entries(settings)) linked(name, value)
    for (const button of this.ways.children) {
      button.textContent = words[button.name]
      button.setAttribute("aria-pressed", String(button.name === settings.way))
    }
    this.sliders.hidden = !chance
    this.set("temperature", settings.temperature, settings.temperature.toFixed(2))
    const step = TOP_K.findLastIndex(k => k <= settings.top_k)
    this.set("top_k", step, settings.top_k ? String(settings.top_k) : words.off)
    this.set("top_p", settings.top_p, settings.top_p < 1 ? settings.top_p.toFixed(2) : words.off)
    if (!writing) {
      this.chance.hidden = !chance
      this.run.textContent = fill(words.run, { count: settings.length })
      this.seed.value = settings.seed
    }
    const found = cut(this.logits, settings)
    this.told.textContent = this.tell(found)
    this.entropy.textContent = fill(words.entropy, { before: found.bits[0].toFixed(2), after: found.bits[1].toFixed(2) })
    this.drawBars(rows.slice(0, this.all ? rows.length : shown), found)
    this.more.hidden = rows.length <= shown
    this.more.textContent = words[this.all ? "less" : "more"]
    this.drawCurve(found)
  }

  set(name, value, text) {
    const [, input, output] = this.sliders.querySelector(`[name=${name}]`).parentNode.children
    input.value = value
    output.textContent = text
    input.setAttribute("aria-valuetext", text)
  }

  tell({ kept, mass, held }) {
    const { words, rows } = this.data
    if (kept === 1) return fill(words.certain, { word: rows[0].word })
    if (kept === this.logits.length) return fill(words.uncut, words)
    return fill(words.kept, { count: kept.toLocaleString("en"), all: words.all, share: percent(mass), warm: percent(held) })
  }

  drawBars(rows, { before, warmed, kept, held }) {
    const full = Math.max(before[0], warmed[0] / held)
    keep(this.body, rows.length, () => el("tr", {}, el("th", { scope: "row" }, el("button", { type: "button" }), " ", el("small")),
      el("td", { className: "track", ariaHidden: "true" }, el("i", { className: "full" }), el("i")), el("td", { className: "share" }), el("td", { className: "share" })))
    rows.forEach((row, i) => {
      const [name, track, first, second] = this.body.children[i].children, stays = i < kept, after = stays ? warmed[i] / held : 0
      this.body.children[i].className = [stays ? "" : "gone", row.chosen ? "strong" : "", i === kept ? "edge" : ""].join(" ")
      name.firstChild.textContent = row.word
      name.firstChild.title = fill(this.data.words.force, { word: row.word })
      name.firstChild.disabled = this.data.room < 1 && !row.chosen
      name.firstChild.onclick = () => this.go("force", row.id)
      name.lastChild.textContent = row.chosen ? this.data.words.chosen : row.tried ? this.data.words.tried : ""
      track.firstChild.style.width = `${100 * before[i] / full}%`
      track.lastChild.style.width = `${100 * after / full}%`
      first.textContent = percent(before[i])
      second.textContent = stays ? percent(after) : this.data.words.cut
    })
  }

  /** How much the first so many tokens hold together, by rank on a scale of tenfolds; what stays is filled. */
  drawCurve({ warmed, kept, held }) {
    const { words } = this.data, last = Math.log(warmed.length), across = rank => WIDE * Math.log(rank) / last
    const floor = HIGH - FOOT, height = share => floor - (floor - 6) * share
    let sum = 0, next = 1, line = "", area = ""
    for (let i = 0; i < warmed.length; i++) {
      sum += warmed[i]
      if (i + 1 < next && i + 1 !== kept && i + 1 !== warmed.length) continue
      next = Math.max(i + 2, Math.ceil((i + 1) * 1.03))
      const at = `${across(i + 1).toFixed(1)} ${height(Math.min(1, sum)).toFixed(1)}`
      line += `${line ? "L" : "M"}${at}`
      if (i < kept) area += `L${at}`
    }
    const edge = Math.max(2, across(kept)), ticks = Array.from({ length: Math.floor(Math.log10(warmed.length)) + 1 }, (_, i) => 10 ** i)
    this.curve.setAttribute("aria-label", fill(words.curve, { told: this.told.textContent }))
    this.curve.replaceChildren(shape("path", { class: "area", d: `M0 ${floor}${area || "L0 " + floor}L${edge} ${floor}Z` }),
      shape("path", { class: "line", d: line }), shape("path", { class: "floor", d: `M0 ${floor}H${WIDE}` }),
      shape("path", { class: "cut", d: `M${edge.toFixed(1)} 0V${floor}` }),
      ...ticks.filter(tick => across(tick) < WIDE - 48).map(tick => label(tick.toLocaleString("en"), across(tick), tick === 1 ? "start" : "middle")),
      label(words.rank, WIDE, "end"), top(percent(held), edge))
  }
}

const text = (content, attributes) => shape("text", attributes, content)
const label = (content, x, anchor) => text(content, { x: x.toFixed(1), y: HIGH - 4, "text-anchor": anchor })
const top = (content, x) => text(content, { x: (x + (x > WIDE - 60 ? -4 : 4)).toFixed(1), y: HIGH - FOOT - 6, class: "held", "text-anchor": x > WIDE - 60 ? "end" : "start" })
