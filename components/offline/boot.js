// Stands in for Streamlit and for Python: gives each component its message, and answers when another head is opened.
// In front of this file stands `mounts`: the function of each part, in order.

const TYPES = { uint8: Uint8Array, float32: Float32Array }

function decoded(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** A column of numbers as Streamlit would hand it over. */
function revived(value) {
  if (!value?.numbers) return value
  const bytes = Uint8Array.fromBase64?.(value.base64) ?? decoded(value.base64)   // older browsers have none of their own
  const numbers = new TYPES[value.numbers](bytes.buffer)
  return { getChildAt: () => ({ toArray: () => numbers }) }
}

const unpack = data => Object.fromEntries(Object.entries(data).map(([name, value]) => [name, revived(value)]))

const { parts, sheets, extra } = JSON.parse(document.getElementById("data").textContent)
const roots = [...document.querySelectorAll(".part")].map((part, i) => {
  const root = part.attachShadow({ mode: "open" }), sheet = document.createElement("style")
  sheet.textContent = sheets[i]
  root.append(sheet)
  return root
})
const messages = parts.map(unpack)

function draw(i, data) { mounts[i]({ data, parentElement: roots[i], setStateValue: () => {}, setTriggerValue: () => {} }) }

/** Another head: of that one the bytes are here, not the exact numbers, and the panel says so. */
function open({ heads, weights }) {
  const place = messages.findIndex(message => message.weights && message.queries)
  const before = messages[place]
  if (String(heads) === String(before.heads)) return draw(place, before)
  if (!weights) return draw(place, { ...before, note: extra.alone })
  const names = heads.map(([layer, head]) => `${layer + 1}·${head + 1}`).join(", ")
  const title = heads.length > 1 ? extra.mean.replace("{names}", () => names) : extra.names[heads[0][0]][heads[0][1]]
  draw(place, { ...before, heads, title, note: extra.rough, weights: { getChildAt: () => ({ toArray: () => weights }) } })
}

messages.forEach((message, i) => draw(i, message))
if (extra.names) document.addEventListener("unmask:heads", ({ detail }) => open(detail))
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => messages.forEach((message, i) => draw(i, message)))
