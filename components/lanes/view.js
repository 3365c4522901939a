// data of the lanes: {serial, key, focus, strip, text, read, full, samples, notices, prompt, foot, words,
//   lanes: [{asked, name, sees, model, size, link, mark, ink, words: [{text, blank, start}], note, unmeasured,
//            blanks: [{title, truth: [line], sides: [line], rows: [{word, share, probability, joins, own}],
//                      seen: [for each word], guesses: {blank: {word, share}}}]}]}
//   -> state "focus": which blank the arcs lead to
//   tells the strip: "unmask:read" how much of the text was read
// data of the arcs of a lane, which follow in a mount of their own:
//   {serial, key, name, asked, arcs: {values: [{bits, shown} or null] or null, unmeasured}}
// In front of this file stands scene.js (the words and the arcs of one lane).

const QUIET = 1000           // milliseconds without news before it is read out
const views = new WeakMap()  // one View for each place in the page
const byKey = new Map()      // the same, for the arcs
const latest = new Map()     // the arcs that came last, by key and lane: either may be there first

export default function ({ data, parentElement, setStateValue }) {
  if (data.arcs) return follow(data)
  const view = views.get(parentElement) ?? new View(parentElement)
  views.set(parentElement, view)
  byKey.set(data.key, view)
  view.update(data, setStateValue)
  return () => { view.close(); views.delete(parentElement); byKey.delete(data.key) }
}

function follow(data) {
  const place = `${data.key}/${data.name}`
  latest.set(place, data)
  byKey.get(data.key)?.follow(data)
  return () => { if (latest.get(place) === data) latest.delete(place) }
}

function el(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (name in node) node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

function fill(template, values) { return template.replace(/\{(\w+)\}/g, (_, name) => values[name]) }

// Elements are kept from answer to answer: bars glide, nothing flickers, and the focus stays where it is.
function keep(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove()
  while (parent.children.length < count) parent.append(make())
}

class View {
  constructor(root) {
    this.lanes = []
    this.prompt = el("p", { className: "note prompt" })
    this.list = el("div", { className: "list" })
    this.notices = el("div", { className: "notices" })
    this.legend = el("p", { className: "legend" })
    this.foot = el("div", { className: "foot" })
    this.said = el("div", { className: "unspoken", role: "status" })
    this.frame = el("div", { className: "lanes" }, this.prompt, this.list, this.notices, this.legend, this.foot, this.said)
    root.append(this.frame)
    this.calls = {
      choose: blank => this.choose(blank),
      point: start => this.lanes.forEach(({ scene }) => scene.pointed(start)),
      move: left => this.lanes.forEach(({ scene }) => scene.moved(left)),
    }
  }

  close() {
    clearTimeout(this.timer)
    this.lanes.forEach(lane => lane.scene.sizes.disconnect())
    this.frame.remove()
  }

  update(data, setStateValue) {
    Object.assign(this, { data, setStateValue, focus: data.focus })
    while (this.lanes.length > data.lanes.length) this.lanes.pop().close()
    while (this.lanes.length < data.lanes.length) this.lanes.push(new LaneView(this.list, this.calls))
    this.draw()
    this.prompt.textContent = data.prompt
    this.notices.replaceChildren(...data.notices.map(text => el("p", {}, text)))
    this.foot.replaceChildren(...data.foot.map(text => el("p", {}, text)))
    this.drawLegend()
    data.lanes.forEach(({ name }) => {
      const arcs = latest.get(`${data.key}/${name}`)
      if (arcs) this.follow(arcs)
    })
    this.readOut()
    const { strip: to, text, read } = data
    document.dispatchEvent(new CustomEvent("unmask:read", { detail: { key: to, text, read } }))
  }

  draw() {
    this.data.lanes.forEach((lane, i) => this.lanes[i].ask(lane, this.focus, this.data))
    this.align()
  }

  /** Lanes have different things in a blank: it gets the width of the widest, and words stay aligned. */
  align() {
    const widest = new Map(), blanks = this.lanes.flatMap(({ scene }) => scene.blanks())
    blanks.forEach(({ button }) => { button.style.minWidth = "" })
    for (const { start, button } of blanks) {
      widest.set(start, Math.max(widest.get(start) ?? 0, Math.ceil(button.getBoundingClientRect().width)))
    }
    blanks.forEach(({ start, button }) => { button.style.minWidth = `${widest.get(start)}px` })
    if (blanks.length) this.lanes.forEach(({ scene }) => scene.layOut())
  }

  /** Another blank gets the focus: its answer is here already, the arcs have to be measured. */
  choose(blank) {
    this.focus = blank
    this.data.lanes.forEach(lane => { lane.asked = null })
    this.draw()
    this.setStateValue("focus", blank)
  }

  /** A lane's arcs have come; those for a text that has moved on are dropped. */
  follow({ name, asked, arcs }) {
    const i = this.data.lanes.findIndex(lane => lane.name === name)
    if (i < 0 || asked !== this.data.lanes[i].asked) return
    this.lanes[i].follow(arcs)
    this.readOut()
  }

  drawLegend() {
    const { words, samples } = this.data
    const lines = samples.map((bits, i) => {
      const line = el("i", { ariaHidden: "true" })
      line.style.height = `${width(bits)}px`
      return el("span", { className: "sample" }, line, words.samples[i])
    })
    const blanks = this.data.lanes.flatMap(lane => lane.blanks)
    const signs = [
      [words.guesses, blanks.some(blank => Object.keys(blank.guesses).length)],
      [words.struck, blanks.some(blank => blank.seen.includes(false))],
      [words.joined, blanks.some(blank => blank.sides.length)],
    ].filter(([, there]) => there).map(([text]) => el("span", {}, text))
    this.legend.hidden = !blanks.length
    this.legend.replaceChildren(el("span", {}, words.legend), ...lines, el("span", {}, words.scale), ...signs)
  }

  readOut() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const told = [this.data.prompt, ...this.data.notices, ...this.lanes.map(lane => lane.told())].filter(Boolean).join(this.data.words.space)
      if (told !== this.said.textContent) this.said.textContent = told
    }, QUIET)
  }
}

class LaneView {
  constructor(list, calls) {
    this.scene = new Scene(calls)
    this.name = el("a", { className: "name" })
    this.sees = el("p", { className: "sees" })
    this.model = el("p", { className: "model" })
    this.title = el("caption", { className: "unspoken" })
    this.heads = ["word", "share"].map(() => el("th", { scope: "col" }, el("span", { className: "unspoken" })))
    this.rows = el("tbody")
    const head = el("thead", {}, el("tr", {}, this.heads[0], el("td"), this.heads[1]))
    const columns = ["word", "bar", "share"].map(className => el("col", { className }))
    this.answers = el("table", { className: "answers" }, this.title, el("colgroup", {}, ...columns), head, this.rows)
    this.truth = el("div", { className: "truth" })
    this.sides = el("div", { className: "sides" })
    this.note = el("p", { className: "note" })
    this.influence = el("table")
    const who = el("header", {}, el("h2", {}, this.name), this.sees, this.model)
    const answer = el("div", { className: "answer" }, this.answers, this.truth, this.sides, this.note)
    this.frame = el("section", { className: "lane" }, who, this.scene.frame, answer,
      el("div", { className: "unspoken" }, this.influence))
    list.append(this.frame)
  }

  close() {
    this.scene.sizes.disconnect()
    this.frame.remove()
  }

  ask(lane, focus, { words, full }) {
    Object.assign(this, { lane, blank: lane.blanks[focus], words })
    this.frame.ariaLabel = lane.name
    this.frame.classList.toggle("bare", !lane.blanks.length)
    this.frame.style.setProperty("--mark", lane.mark)
    this.frame.style.setProperty("--ink", lane.ink)
    this.showName(lane)
    this.sees.textContent = lane.sees
    this.model.textContent = [lane.model, lane.size].filter(Boolean).join(" · ")
    this.note.textContent = lane.note || (lane.blanks.length && !this.blank ? words.beyond : "")
    this.title.textContent = this.blank?.title ?? ""
    this.heads.forEach((head, i) => { head.firstChild.textContent = [words.word, words.share][i] })
    this.showAnswers(this.blank?.rows ?? [], full)
    this.truth.replaceChildren(...(this.blank?.truth ?? []).map(text => el("p", {}, text)))
    this.sides.replaceChildren(...(this.blank?.sides ?? []).map(text => el("p", {}, text)))
    this.scene.ask(lane, focus, words)
    this.showInfluence()
  }

  follow(arcs) {
    this.scene.follow(arcs)
    this.showInfluence()
  }

  /** A link where the model has a page of its own. */
  showName({ name, link }) {
    this.name.textContent = name
    if (link) Object.assign(this.name, { href: link, title: this.words.open })
    else for (const attribute of ["href", "title"]) this.name.removeAttribute(attribute)
    // Going back brings this sentence: the address of this page takes it along.
    this.name.onclick = link ? () => history.replaceState(history.state, "", new URL(link, location).search) : null
  }

  showAnswers(rows, full) {
    keep(this.rows, rows.length, () => el("tr", {}, el("th", { scope: "row" }, el("span"), " ", el("small")),
      el("td", { className: "track", ariaHidden: "true" }, el("i")), el("td", { className: "share" })))
    rows.forEach((answer, i) => {
      const [name, track, share] = this.rows.children[i].children
      name.title = answer.joins ? this.words.joins : ""
      name.firstChild.textContent = answer.joins ? `…${answer.word}` : answer.word
      name.lastChild.textContent = answer.own ? this.words.mine : ""
      name.parentNode.classList.toggle("own", answer.own)
      track.firstChild.style.width = `${100 * answer.probability / full}%`
      share.textContent = answer.share
    })
  }

  /** The arcs once more, as a table for those who do not see them. */
  showInfluence() {
    const { words } = this, { arcs, measured } = this.scene, title = this.blank?.title ?? ""
    const cells = this.lane.words.flatMap(({ text }, i) => measured && arcs[i]
      ? [el("tr", {}, el("th", { scope: "row" }, text), el("td", {}, arcs[i].shown))] : [])
    const heads = [words.word, words.influence].map(text => el("th", { scope: "col" }, text))
    this.influence.replaceChildren(...cells.length
      ? [el("caption", {}, `${words.influence} · ${title}`), el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...cells)] : [])
  }

  told() {
    const best = (this.blank?.rows ?? []).slice(0, 3).map(({ word, share }) => `${word} ${share}`).join(this.words.comma)
    const { name } = this.lane, { words } = this, note = this.note.textContent
    if (!best && !note) return ""
    const sides = (this.blank?.sides ?? []).join(words.space)
    return [fill(best ? words.best : words.noted, { name, text: best || note }), sides, this.scene.widest()]
      .filter(Boolean).join(words.space)
  }
}
