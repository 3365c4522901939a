// What each drawer holds. A maker gets (content, bar) and returns {actions, body}.

/** An element with properties (attributes, where it has no such property) and children. */
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (name in node) node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

function action(text, run) {
  const button = el("button", { type: "button", className: "action" }, text)
  button.onclick = () => run(button)
  return button
}

/** A part that may scroll; then it can be reached and scrolled by keyboard, too. */
function scroller(label, child) {
  return el("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": label }, child)
}

const DRAWERS = {
  numbers({ caption, heads, numeric, rows, more, csv }, bar) {
    const kind = i => numeric[i] ? "number" : "text"
    const head = el("tr", {}, ...heads.map((text, i) => el("th", { scope: "col", className: kind(i) }, text)))
    const lines = rows.map(row => el("tr", {}, ...row.map((text, i) => el("td", { className: kind(i) }, text))))
    const table = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...lines))
    return {
      actions: [action(bar.data.words.csv, () => bar.save("csv", csvFile(csv)))],
      body: [scroller(caption, table), ...more ? [el("p", { className: "more" }, more)] : []],
    }
  },

  code({ code }, bar) {
    return {
      actions: [action(bar.data.words.copy, button => bar.copy(code, bar.data.words.copied, button))],
      body: [scroller(bar.text("code"), el("pre", { translate: false }, el("code", { lang: "en" }, code)))],
    }
  },

  picture(picture, bar) {
    const { words } = bar.data
    const png = () => pngFile(picture).then(file => bar.save("png", file), () => bar.say(words.noPicture))
    const src = URL.createObjectURL(svgFile(picture.markup))
    const { width, height, alt } = picture
    const image = el("img", { src, width, height, alt, onload: () => URL.revokeObjectURL(src) })
    return {
      actions: [action(words.svg, () => bar.save("svg", svgFile(picture.markup))), action(words.png, png)],
      body: [image],
    }
  },

  page({ page }, bar) {
    return { actions: [action(bar.data.words.html, () => bar.save("html", pageFile(page)))], body: [] }
  },

  about({ facts }) {
    const rows = facts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value)))
    return { actions: [], body: [el("dl", {}, ...rows)] }
  },

  link({ url }, bar) {
    return { actions: [], body: [el("input", { readOnly: true, value: url, "aria-label": bar.text("link") })] }
  },
}
