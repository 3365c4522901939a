// data: {serial, strip, text, read, colour, full, notices: [text], words, blanks: [{title, span, before, after,
//        own, pieces, doubt, rows: [{word, share, probability, joins, own, written, at}]}]}
// tells the strip: "unmask:read" how much of the text was read, "unmask:fill" that a bar was chosen

const QUIET = 1000  // milliseconds without a new answer before it is read out
const FACTS = ["own", "pieces", "doubt"]
const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement)
  views.set(parentElement, view)
  view.frame.style.setProperty("--mark", data.colour)
  view.notices.replaceChildren(...data.notices.map(text => el("p", { className: "notice" }, text)))
  keep(view.panels, data.blanks.length, panel)
  view.panels.classList.toggle("several", data.blanks.length > 1)
  data.blanks.forEach((blank, i) => showBlank(view.panels.children[i], blank, data))
  view.scale.textContent = data.blanks.length ? data.words.scale : ""
  readOut(view, data)
  tell("read", { key: data.strip, text: data.text, read: data.read })
  return () => { clearTimeout(view.timer); view.frame.remove(); views.delete(parentElement) }
}

function el(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props)
  node.append(...children)
  return node
}

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`unmask:${name}`, { detail }))

// Elements are kept from answer to answer: bars glide, nothing flickers, and the focus stays where it is.
function keep(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove()
  while (parent.children.length < count) parent.append(make())
}

function build(root) {
  const view = {
    notices: el("div", { className: "notices" }),
    panels: el("div", { className: "panels" }),
    scale: el("p", { className: "scale" }),
    said: el("div", { className: "unseen", role: "status" }),
  }
  view.frame = el("div", { className: "answers" }, view.notices, view.panels, view.scale, view.said)
  root.append(view.frame)
  return view
}

function panel() {
  const columns = ["word", "track", "share"].map(className => el("col", { className }))
  const heads = ["word", "axis", "share"].map(className => el("th", { className, scope: "col" }))
  const table = el("table", {}, el("caption", { className: "unseen" }), el("colgroup", {}, ...columns),
    el("thead", {}, el("tr", {}, ...heads)), el("tbody"))
  const facts = el("div", { className: "facts" }, ...FACTS.map(className => el("p", { className })))
  const titles = el("div", { className: "titles" }, el("h3"), el("p", { className: "tried" }))
  return el("section", { className: "panel" }, titles, el("div", { className: "body" }, table, facts))
}

function showBlank(section, blank, data) {
  const find = selector => section.querySelector(selector)
  const { words } = data
  section.setAttribute("aria-label", blank.title)
  find("h3").textContent = find("caption").textContent = blank.title
  find("th.word").textContent = words.word
  find("th.axis").replaceChildren(el("span", {}, "0"), el("span", {}, words.full))
  find("th.share").textContent = words.share
  for (const fact of FACTS) {
    find(`p.${fact}`).textContent = blank[fact]
    find(`p.${fact}`).hidden = !blank[fact]
  }
  keep(find("tbody"), blank.rows.length, row)
  const tried = find(".tried")
  blank.rows.forEach((answer, i) => showRow(find("tbody").children[i], answer, blank, tried, data))
  const inUse = section.querySelector("tr:hover, tr:focus-within") ?? find("tbody tr")
  inUse?.onpointerenter?.()
}

function row() {
  const name = el("th", { scope: "row" }, el("button", { type: "button" }), " ", el("span", { className: "mine" }))
  const bar = el("td", { className: "track" }, el("span", { className: "bar" }))
  bar.setAttribute("aria-hidden", "true")
  return el("tr", {}, name, bar, el("td", { className: "share" }))
}

function showRow(tr, answer, blank, tried, { words, strip, text, full }) {
  const button = tr.querySelector("button"), shown = answer.joins ? `…${answer.word}` : answer.word
  tr.classList.toggle("own", answer.own)
  button.textContent = shown
  button.title = answer.joins ? words.joins : words.put.replace("{word}", answer.word)
  tr.querySelector(".mine").textContent = answer.own ? words.mine : ""
  tr.querySelector(".bar").style.width = `${100 * answer.probability / full}%`
  tr.querySelector(".share").textContent = answer.share
  tr.onpointerenter = button.onfocus = () => tryOut(tried, blank, answer)
  tr.onclick = () => tell("fill", { key: strip, text, span: [answer.at, blank.span[1]], word: answer.written })
}

/** The sentence with this answer in it. A piece that continues a word joins the one before it. */
function tryOut(tried, { before, after, span }, { written, at }) {
  tried.replaceChildren(at < span[0] ? before.trimEnd() : before, el("b", {}, written), after)
}

function readOut(view, { blanks, notices, words }) {
  clearTimeout(view.timer)
  const first = rows => rows.slice(0, 3).map(({ word, share }) => `${word} ${share}`).join(words.comma)
  const best = ({ title, rows }) => words.best.replace("{name}", title).replace("{text}", () => first(rows))
  view.timer = setTimeout(() => { view.said.textContent = [...notices, ...blanks.map(best)].join(words.space) }, QUIET)
}
