// data: { label, strip, tells, offers: [{label: "" for the sentence itself, sentence: {text, hidden}}] }
// -> trigger "taken": number of the sentence; tells the strip: "unmask:take" that this is the sentence now

const groups = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const group = groups.get(parentElement) ?? el("div", { className: "view offers", role: "group" })
  groups.set(parentElement, group)
  if (!group.isConnected) parentElement.append(group)
  group.ariaLabel = data.label
  keep(group, data.offers.length + 1, () => el(group.children.length ? "button" : "span"))
  group.firstChild.textContent = data.label
  data.offers.forEach(({ label, sentence }, i) => {
    const button = Object.assign(group.children[i + 1], { type: "button", dir: "auto" })
    button.replaceChildren(...label ? [label] : withGaps(sentence))
    button.onclick = () => {
      const detail = { key: data.strip, sentence }
      document.dispatchEvent(new CustomEvent("unmask:take", { detail }))
      if (data.tells) setTriggerValue("taken", i)
    }
  })
  return () => { group.remove(); groups.delete(parentElement) }
}

/** The sentence with a sign for every hidden word; spans count code points. */
function withGaps({ text, hidden }) {
  const points = [...text], parts = []
  let at = 0
  for (const [start, end] of hidden) {
    parts.push(points.slice(at, start).join(""), el("span", { className: "gap" }, "[MASK]"))
    at = end
  }
  return [...parts, points.slice(at).join("")]
}
