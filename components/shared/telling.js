// What the components of a page tell each other, and links.

/** Sentences of one component to others on the page. */
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`unmask:${name}`, { detail }))

/** Hears what others tell under the key that a view follows, until it is closed. */
function hear(view, name, key, run) {
  document.addEventListener(`unmask:${name}`, ({ detail }) => { if (detail.key === key()) run(detail) }, { signal: view.stop.signal })
}

/** Reports as state "head" that another head was opened than the one that is shown. */
function followHead(view) {
  hear(view, "opened", () => view.data.follows, ({ heads }) => {
    if (String(heads.at(-1)) !== String(view.data.at)) view.setStateValue("head", heads.at(-1))
  })
}

/** What a link to this view needs to know, and only the browser does: `components/takeaway` adds it. */
function linked(name, value) {
  const found = (window.unmaskLinked ??= {})
  if (value === null) delete found[name]
  else found[name] = String(value)
}
