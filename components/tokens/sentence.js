// A sentence and its hidden words: pure functions, nothing of the page.
//
// A sentence is { text, hidden }, hidden a sorted list of [start, end): always whole words. Offsets count UTF-16
// units, as JavaScript does; `toWire` and `fromWire` change them to code points, as Python counts.

const EMOJI = String.raw`\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3|` +
  String.raw`\p{Extended_Pictographic}[\p{EMod}\uFE0F\u{E0020}-\u{E007F}]*` +
  String.raw`(?:\u200D\p{Extended_Pictographic}[\p{EMod}\uFE0F]*)*`
const IDEOGRAPH = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\p{M}*`
const LETTERS = String.raw`(?:(?!${IDEOGRAPH})[\p{L}\p{N}\p{M}\u200C])+`
// "don't", "well-known" and "3.14" are one word each; Chinese is cut into characters, as BERT cuts it.
const WORD = new RegExp(String.raw`\[MASK\]|${EMOJI}|${IDEOGRAPH}|${LETTERS}(?:['’\-‐.]${LETTERS})*`, "gu")

/** The words of a text, in reading order: [{ start, end, text, blank }]; blank for a typed [MASK]. */
export function segment(text) {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => (
    { start: index, end: index + word.length, text: word, blank: word === "[MASK]" }))
}

/** Hidden spans widened or cut to the words they touch, so that a blank is always one whole word. */
function snap(text, spans) {
  return segment(text).filter(word => !word.blank && spans.some(([s, e]) => s < word.end && word.start < e))
    .map(word => [word.start, word.end])
}

/** Where [start, end) lies after text[from, oldEnd) was replaced by newEnd - from units; null if it is gone. */
function moved([start, end], from, oldEnd, newEnd) {
  const shift = newEnd - oldEnd
  if (end <= from) return [start, end]
  if (start >= oldEnd) return [start + shift, end + shift]
  if (start <= from && oldEnd <= end) return [start, end + shift]   // edited inside: still the same hidden word
  const left = start < from ? start : newEnd, right = end > oldEnd ? end + shift : from
  return left < right ? [left, right] : null
}

/** The sentence after its text became `text`: hidden words stay hidden wherever the edit moved them. */
export function edit(sentence, text) {
  const old = sentence.text, most = Math.min(old.length, text.length)
  let from = 0, tail = 0
  while (from < most && old[from] === text[from]) from++
  while (tail < most - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++
  const spans = sentence.hidden.map(span => moved(span, from, old.length - tail, text.length - tail))
  return { text, hidden: snap(text, spans.filter(Boolean)) }
}

/** The sentence with the word [start, end) hidden, or shown again if it was hidden. */
export function toggle({ text, hidden }, { start, end }) {
  const others = hidden.filter(([s]) => s !== start)
  if (others.length === hidden.length) others.push([start, end])
  return { text, hidden: others.sort((a, b) => a[0] - b[0]) }
}

/** The sentence with [start, end) replaced by a word that everyone can see. */
export function put({ text, hidden }, [start, end], word) {
  const others = { text, hidden: hidden.filter(([s, e]) => e <= start || end <= s) }
  return edit(others, text.slice(0, start) + word + text.slice(end))
}

/** The sentence with a space for every line break: it is typed in one line. Offsets stay. */
export const oneLine = sentence => ({ ...sentence, text: sentence.text.replace(/[\r\n\u2028\u2029]/g, " ") })

/** The text as strings, with `make(word)` in the place of every hidden word. */
export function pieces({ text, hidden }, make) {
  const parts = []
  let at = 0
  for (const [start, end] of hidden) {
    parts.push(text.slice(at, start), make(text.slice(start, end)))
    at = end
  }
  return [...parts, text.slice(at)]
}

/** The sentence as a link has it: `She had [[tea]].` */
export const marked = sentence => pieces(sentence, word => `[[${word}]]`).join("")

/** How many code points a text has. */
export const points = text => [...text].length
/** How many UTF-16 units its first `count` code points have. */
export const units = (text, count) => text.length <= count ? text.length : [...text].slice(0, count).join("").length

export const toWire = ({ text, hidden }) => (
  { text, hidden: hidden.map(span => span.map(at => points(text.slice(0, at)))) })
export const fromWire = ({ text, hidden }) => (
  { text, hidden: snap(text, hidden.map(span => span.map(at => units(text, at)))) })

/** Undo and redo over text and hiding together. Quick typing is one step; each hiding is its own. */
export class History {
  past = []
  future = []

  constructor(now) { this.now = now }

  /** Make `now` the present. Entries of one `group` within `within` milliseconds melt into one step. */
  push(now, group = "", within = 800) {
    const time = Date.now()
    const melts = group && group === this.group && time - this.time < within
    if (!melts) this.past = [...this.past, this.now].slice(-200)
    Object.assign(this, { now, group, time, future: [] })
  }

  /** Step back (or forward) and return the sentence found there, or null at the end. */
  step(back) {
    const [source, target] = back ? [this.past, this.future] : [this.future, this.past]
    if (!source.length) return null
    target.push(this.now)
    this.group = ""
    return (this.now = source.pop())
  }
}
