// data: {serial, title, claims: [{outcome, named, claim, effect, source}]}
// In front of this file stands components/shared/elements.js.

const SIGNS = { supported: "✓", "within-noise": "≈", opposite: "✗" }

export default function ({ data, parentElement }) {
  let frame = parentElement.querySelector(".judged")
  if (!frame) parentElement.append(frame = el("div", { className: "view judged" }, el("h4"), el("ul")))
  const [title, list] = frame.children
  title.textContent = data.title
  list.replaceChildren(...data.claims.map(({ outcome, named, claim, effect, source }) => el("li", {},
    el("span", { className: `outcome ${outcome}` }, el("span", { ariaHidden: "true" }, `${SIGNS[outcome]} `), named),
    el("p", {}, claim, " ", el("small", {}, effect), " ", el("small", { className: "source" }, source ? `· ${source}` : "")))))
  return () => frame.remove()
}
