// The open block: formula, tensors as pictures, statistics, weights, code.

class Opening {
  constructor(root, close, layer) {
    Object.assign(this, { root, tensor: 0 })
    this.title = el("h3", { tabIndex: -1 })
    this.shut = el("button", { type: "button", className: "pill", onclick: close })
    this.formula = el("p", { className: "formula", translate: false })
    this.told = el("p", { className: "told" })
    this.layers = new Choices(layer)
    this.layered = el("div", { className: "asked" }, el("span", { className: "label" }), this.layers.frame)
    this.facts = el("dl", { className: "facts" })
    this.tensors = new Choices(i => this.show(i))
    this.picture = el("div", { className: "scroller", tabIndex: 0, role: "region" })
    this.caption = el("p", { className: "caption" })
    this.statistics = el("dl", { className: "statistics" })
    this.weights = el("div", { className: "weights" })
    this.codeTitle = el("h4")
    this.code = el("pre", { tabIndex: 0 }, el("code"))
    const left = el("div", { className: "side" }, this.formula, this.told, this.facts, this.weights)
    const right = el("div", { className: "side" }, this.tensors.frame, this.caption, this.picture, this.statistics, this.codeTitle, this.code)
    this.frame = el("section", { className: "panel opening", id: "opening" }, el("div", { className: "bar" }, this.title, this.layered, this.shut), el("div", { className: "sides" }, left, right))
  }

  update(detail, values, words) {
    this.frame.hidden = !detail
    if (!detail) return
    const same = this.detail?.title === detail.title
    Object.assign(this, { detail, values, words })
    this.frame.style.setProperty("--mark", detail.colour.light)
    this.title.textContent = detail.title
    this.shut.textContent = words.close
    this.formula.textContent = detail.formula
    this.told.textContent = detail.told
    this.layered.hidden = detail.layers.length < 2
    this.layered.firstChild.textContent = words.layers
    this.layers.offer(words.layers, detail.layers.map((_, i) => ({ text: String(i + 1) })))
    this.layers.mark(detail.layer)
    this.facts.replaceChildren(...pairs(detail.facts))
    this.weigh(detail.weights)
    this.codeTitle.textContent = words.code
    this.code.firstChild.textContent = detail.code
    this.code.ariaLabel = words.code
    this.tensors.offer(words.tensors, detail.tensors.map(({ name }) => ({ text: name })))
    this.tensors.frame.hidden = detail.tensors.length < 2
    this.show(same || this.tensor < detail.tensors.length ? Math.min(this.tensor, detail.tensors.length - 1) : 0)
  }

  weigh(rows) {
    const { words } = this, title = el("h4", {}, words.weights)
    if (!rows.length) return this.weights.replaceChildren(title, el("p", { className: "note" }, words.none))
    const head = el("thead", {}, el("tr", {}, ...[words.weight, words.shape, words.count].map(text => el("th", { scope: "col" }, text))))
    const body = el("tbody", {}, ...rows.map(([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), ...cells.map(text => el("td", {}, text)))))
    const scroller = el("div", { className: "scroller", tabIndex: 0, role: "region", ariaLabel: words.weights }, el("table", {}, head, body))
    this.weights.replaceChildren(title, scroller)
  }

  show(i) {
    this.tensor = i
    const tensor = this.detail.tensors[i]
    this.tensors.mark(i)
    this.caption.replaceChildren(el("b", {}, `${tensor.name}: ${tensor.shape}`), ` ${tensor.scale}`)
    this.picture.replaceChildren(this.draw(tensor))
    this.picture.ariaLabel = tensor.alt
    this.statistics.replaceChildren(...pairs(tensor.facts))
  }

  /** Rows are positions; matrices of several heads stand side by side. */
  draw(tensor) {
    const [heads, rows, columns] = tensor.size, named = tensor.columns.length > 0 && heads === 1
    const picture = el("div", { className: "tensor" })
    picture.style.setProperty("--rows", rows)
    const labels = el("ol", { className: "rows" }, ...tensor.rows.map(text => el("li", {}, text)))
    const canvases = Array.from({ length: heads }, (_, head) => this.canvas(tensor, head * rows * columns, rows, columns))
    const drawing = el("div", { className: "drawing", role: "img", ariaLabel: tensor.alt }, ...canvases)
    picture.append(labels, named ? el("div", { className: "named" }, drawing, heading(tensor.columns)) : drawing)
    return picture
  }

  canvas({ start, signed }, offset, rows, columns) {
    const values = this.values.subarray(start + offset, start + offset + rows * columns), canvas = el("canvas", { width: columns, height: rows })
    const image = new ImageData(columns, rows), dots = new Uint32Array(image.data.buffer)
    const colours = signed ? diverging(this.root) : null, shades = signed ? null : ramp(this.root, this.detail.colour)
    values.forEach((value, i) => { dots[i] = whole(signed ? colours(value) : Number.isNaN(value) ? shades.none : shades.at(value)) })
    canvas.getContext("2d").putImageData(image, 0, 0)
    return canvas
  }
}

const pairs = facts => facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))
const heading = columns => el("ol", { className: "columns", ariaHidden: "true" }, ...columns.map(text => el("li", {}, el("span", {}, text))))
