// The sentence outlives its strip: in memory it follows to other pages, in the tab's own storage it outlives a reload.
// There it is written with each report and on leaving, not with each key: writing waits for the disk.

const STORED = "unmask:sentence"
let going = null  // { history, link }: what the visitor goes on with, and the last link they followed

/** The history to go on with. `sentence` is what Python has: newer only if another `link` asks for it. */
function resume(sentence, link) {
  if (!going) going = { history: new History((!link || reloaded()) && stored() || sentence) }
  else if (link && link !== going.link) going.history.push(sentence)
  going.link = link || going.link
  return going.history
}

/** Keep a sentence for a reload of this tab; of one without words nothing stays behind. */
function store(sentence) {
  try {
    if (sentence.text.trim()) sessionStorage.setItem(STORED, JSON.stringify(sentence))
    else sessionStorage.removeItem(STORED)
  } catch { /* no storage, or a full one: then a reload begins anew */ }
}

/** The sentence of this tab before the reload, or null; what is stored may be anything. */
function stored() {
  try {
    const { text, hidden } = JSON.parse(sessionStorage.getItem(STORED))
    return typeof text === "string" && text.trim() ? { text, hidden: snap(text, hidden) } : null
  } catch { return null }
}

/** After a reload the address may still ask for what the visitor has changed since. */
const reloaded = () => performance.getEntriesByType("navigation")[0]?.type === "reload"
