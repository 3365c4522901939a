// data: {serial, view: "head" | "model" | "neuron", colour: {light, dark}, layers, heads, layer, head, second (index of the first token of a second text, or null),
//        queries and keys: [text], causal, weights (float32 column: layer, head, query, key), queryVectors and keyVectors (float32 columns or null), words}
// In front of this file stand the scripts of components/shared, and what scripts.py makes: D3 and BERTVIZ, bertviz's own three views.
//   They are given stand-ins for require.js and jQuery that know nothing but this component's own part of the page.

const views = new WeakMap()

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new Views(parentElement)
  views.set(parentElement, view)
  view.update(data)
  return () => { view.frame.remove(); views.delete(parentElement) }
}

/** Numbers in a row as nested lists, the form that bertviz reads. */
function nested(numbers, [count, ...rest], start = 0) {
  if (!rest.length) return Array.from(numbers.subarray(start, start + count))
  const size = rest.reduce((a, b) => a * b, 1)
  return Array.from({ length: count }, (_, i) => nested(numbers, rest, start + i * size))
}

/** What bertviz asks of jQuery. Options are numbered from 1 by those who show them, as everywhere in the app. */
class Found {
  constructor(nodes) { this.nodes = nodes }
  each(run) { this.nodes.forEach(run); return this }
  append(other) { return this.each(node => node.append(...other.nodes)) }
  empty() { return this.each(node => node.replaceChildren()) }
  val(value) { return this.each(node => { node.value = value }) }
  text(value) { return this.each(node => { node.textContent = value }) }
  attr(name, value) { return this.each(node => node.setAttribute(name, value)) }
  on(name, run) { return this.each(node => node.addEventListener(name, run)) }
  change() { return this }   // they call it before anybody listens
}

class Views {
  constructor(root) {
    this.root = root
    this.frame = el("div", { className: "view bertviz" })
    root.append(this.frame)
  }

  update(data) {
    this.data = data
    const { words, view } = data
    this.frame.style.setProperty("--mark", data.colour.light)
    const choices = view === "model" ? [] : [["layer", words.layer], ...view === "neuron" ? [["att_head", words.head]] : []]
    if (data.second !== null) choices.push(["filter", words.part])
    const labels = choices.map(([id, text]) => el("label", { className: "which" }, el("span", {}, text), el("select", { id })))
    const filter = labels.at(-1)?.querySelector("#filter")
    if (filter) filter.append(...Object.entries(words.parts).map(([value, text]) => el("option", { value }, text)))
    this.vis = el("div", { id: "vis", role: "group", ariaLabel: words.label })
    const scroller = el("div", { className: "scroller", tabIndex: 0, role: "region", ariaLabel: words.label }, this.vis)
    this.frame.replaceChildren(el("section", { className: "panel", id: "bertviz" }, el("div", { className: "choices" }, ...labels), scroller, el("p", { className: "note" }, words.hint)))
    this.run()
    this.number()
    this.frame.onchange = () => this.reach()
    this.reach()
  }

  run() {
    const { view, words } = this.data
    const window = { bertviz_params: this.params() }
    const requirejs = (_, run) => run(selector => this.find(selector), this.d3())
    BERTVIZ[view]({ config() {} }, requirejs, window, { log() {} }, window.bertviz_params, this.theme(), { ...words, detail: (layer, head) => fill(words.detail, { layer, head }) })
  }

  find(asked) {
    if (asked.startsWith("<")) return new Found([el(asked.match(/\w+/)[0])])
    return new Found([...this.frame.querySelectorAll(asked)])
  }

  /** d3 that looks for elements here alone, and has the app's colours. */
  d3() {
    const { frame, data } = this, strong = css(ramp(this.root, data.colour).strong)
    const spread = Array.from({ length: Math.max(10, data.heads) }, (_, i) => D3.interpolateRainbow(i / Math.max(10, data.heads)))
    return { ...D3,
      select: what => D3.select(typeof what === "string" ? frame.querySelector(what) : what),
      selectAll: what => D3.selectAll(typeof what === "string" ? frame.querySelectorAll(what) : what),
      schemeCategory10: data.view === "head" ? spread : Array(10).fill(strong) }
  }

  theme() {
    const { colour } = this.data, ink = styled(this.root, "--st-text-color"), paper = styled(this.root, "--st-secondary-background-color")
    const line = styled(this.root, "--st-border-color"), ends = styled(this.root, "--st-chart-diverging-colors").split(","), mark = css(ramp(this.root, colour).strong)
    const soft = css(mixed(rgb(paper), rgb(ink), 0.12))
    const all = { attn: mark, neg: ends.at(-2), pos: ends[1], text: ink, selected_text: ink, heading_text: ink, text_highlight_left: soft, text_highlight_right: css(mixed(rgb(paper), ramp(this.root, colour).strong, 0.5)),
      vector_border: line, connector: mark, background: paper, dropdown: ink, icon: ink, text_highlighted: ink, highlight: soft }
    return { light: all, dark: all }
  }

  params() {
    const { data } = this, { layers, heads, queries, keys, view } = data, ids = count => Array.from({ length: count }, (_, i) => i)
    const attention = this.filtered(nested(column(data.weights), [layers, heads, queries.length, keys.length]), this.vectors("queryVectors", queries), this.vectors("keyVectors", keys))
    return { attention, default_filter: "all", root_div_id: "bertviz", display_mode: "light", layer: data.layer, head: data.head, heads: null, bidirectional: !data.causal,
      include_layers: view === "model" ? ids(layers).map(i => i + 1) : ids(layers), include_heads: ids(heads).map(i => i + 1), total_heads: heads }
  }

  vectors(name, tokens) {
    const numbers = this.data[name] && column(this.data[name]), { layers, heads } = this.data
    return numbers && nested(numbers, [layers, heads, tokens.length, numbers.length / layers / heads / tokens.length])
  }

  /** All weights, and of a pair those from either text to either. */
  filtered(attn, q, k) {
    const { queries, keys, second } = this.data
    const cut = (a, b) => ({ attn: attn.map(layer => layer.map(head => head.slice(...a).map(row => row.slice(...b)))), left_text: queries.slice(...a), right_text: keys.slice(...b),
      ...q ? { queries: q.map(layer => layer.map(head => head.slice(...a))), keys: k.map(layer => layer.map(head => head.slice(...b))) } : {} })
    const all = [0], first = [0, second], other = [second]
    return { all: cut(all, all), ...second === null ? {} : { aa: cut(first, first), ab: cut(first, other), ba: cut(other, first), bb: cut(other, other) } }
  }

  /** bertviz counts from 0, the app from 1 on screen. */
  number() {
    for (const id of ["layer", "att_head"]) this.frame.querySelectorAll(`#${id} option`).forEach(option => { option.textContent = Number(option.value) + 1 })
  }

  /** By keyboard what the pointer does: each token that asks can be reached. */
  reach() {
    const tokens = [...this.vis.querySelectorAll("#left > g:last-child > g, #leftText > g")]
    tokens.forEach((token, i) => {
      token.setAttribute("tabindex", "0")
      token.setAttribute("role", "img")
      token.setAttribute("aria-label", fill(this.data.words.token, { place: i % this.data.queries.length + 1, word: token.textContent }))
      token.addEventListener("focus", () => token.dispatchEvent(new MouseEvent("mouseover")))
      token.addEventListener("blur", () => (this.data.view === "neuron" ? token : token.closest("#left") ?? token).dispatchEvent(new MouseEvent("mouseleave")))
    })
  }
}
