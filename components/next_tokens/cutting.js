// The distribution over the next token and what a cut leaves of it: the definition in models/generated.py, `Cut`.

/** Probabilities for logits (or log-probabilities) at a temperature, the most probable first. */
function softmax(logits, temperature) {
  const most = logits[0] / temperature, found = new Float64Array(logits.length)
  let sum = 0
  for (let i = 0; i < logits.length; i++) sum += found[i] = Math.exp(logits[i] / temperature - most)
  for (let i = 0; i < logits.length; i++) found[i] /= sum
  return found
}

/** How many of some sorted probabilities stay: first by top-k (what equals the last one stays), then by top-p of those. */
function keeps(shares, topK, topP) {
  let kept = shares.length
  if (topK > 0 && topK < kept) {
    kept = topK
    while (kept < shares.length && shares[kept] === shares[topK - 1]) kept++
  }
  if (topP >= 1) return kept
  let whole = 0, above = 0, count = 0
  for (let i = 0; i < kept; i++) whole += shares[i]
  while (count < kept && above / whole < topP) above += shares[count++]
  return Math.max(1, count)
}

/** Shannon entropy of the first so many probabilities, scaled to sum to 1; in bits. */
function entropy(shares, kept) {
  let sum = 0, found = 0
  for (let i = 0; i < kept; i++) sum += shares[i]
  for (let i = 0; i < kept; i++) if (shares[i] > 0) found -= shares[i] / sum * Math.log2(shares[i] / sum)
  return Math.max(0, found)
}

/** All of it: before (temperature 1), after the temperature, how many stay, and what they hold before and after. */
function cut(logits, { way, temperature, top_k: topK, top_p: topP }) {
  const before = softmax(logits, 1), warmed = way === "draw" ? softmax(logits, temperature) : before
  const kept = way === "draw" ? keeps(warmed, topK, topP) : 1
  let held = 0, mass = 0
  for (let i = 0; i < kept; i++) { held += warmed[i]; mass += before[i] }
  return { before, warmed, kept, held, mass, bits: [entropy(before, before.length), entropy(warmed, kept)] }
}
