// data: {label, spoken: code, languages: [{code, tag, name}]} -> trigger "chosen": code

export default function ({ data, parentElement, setTriggerValue }) {
  const spoken = data.languages.find(({ code }) => code === data.spoken)
  document.documentElement.lang = spoken.tag

  const group = groupIn(parentElement, data.languages)
  group.setAttribute("aria-label", data.label)
  for (const button of group.children) {
    const { code } = button.dataset
    button.setAttribute("aria-pressed", String(code === data.spoken))
    button.onclick = () => code !== data.spoken && setTriggerValue("chosen", code)
  }
}

// Built once and kept: a rerun must not take the keyboard focus from the button just pressed.
function groupIn(parentElement, languages) {
  const existing = parentElement.querySelector("[role=group]")
  if (existing) return existing
  const group = document.createElement("div")
  group.setAttribute("role", "group")
  for (const { code, tag, name } of languages) {
    const button = document.createElement("button")
    button.type = "button"
    button.dataset.code = code
    button.lang = tag
    button.textContent = name
    group.append(button)
  }
  parentElement.append(group)
  return group
}
