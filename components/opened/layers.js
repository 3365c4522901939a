// A mix of layers, from the dot products of their states: gamma · sum of softmax(s)_j · h_j (Peters et al. 2018, equation 1).

function softmax(scores) {
  const most = Math.max(...scores), powers = scores.map(score => Math.exp(score - most))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map(power => power / sum)
}

const product = (products, layers, count, a, b, i, j) => products[((a * layers + b) * count + i) * count + j]

/** Angles between words and their lengths under a mix. `level`: each state of each layer has length 1 first. */
function mixOf(products, layers, count, weights, level) {
  const scale = (a, i) => level ? 1 / Math.sqrt(product(products, layers, count, a, a, i, i)) : 1
  const dot = (i, j) => {
    let sum = 0
    for (let a = 0; a < layers; a++) {
      for (let b = 0; b < layers; b++) {
        sum += weights[a] * weights[b] * scale(a, i) * scale(b, j) * product(products, layers, count, a, b, i, j)
      }
    }
    return sum
  }
  const length = i => Math.sqrt(dot(i, i))
  return { length, cosine: (i, j) => dot(i, j) / (length(i) * length(j)) }
}

/** The mean length of a layer's states. */
function mean(products, layers, count, a) {
  let sum = 0
  for (let i = 0; i < count; i++) sum += Math.sqrt(product(products, layers, count, a, a, i, i))
  return sum / count
}
