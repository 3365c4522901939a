// Files and the clipboard, made in the browser: nothing is asked of the server or of anybody else.

const KEEP = 10_000  // milliseconds a file stays in memory after its download was started
const SCALE = 2      // dots of the PNG for each one of the SVG

function save(root, name, blob) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  root.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP)
}

// The mark in front tells spreadsheets that the text is UTF-8.
const csvFile = text => new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" })
const pageFile = markup => new Blob([markup], { type: "text/html;charset=utf-8" })
const svgFile = markup => new Blob([markup], { type: "image/svg+xml" })

async function pngFile({ markup, width, height }) {
  const image = new Image(), url = URL.createObjectURL(svgFile(markup))
  try {
    await new Promise((done, failed) => Object.assign(image, { onload: done, onerror: failed, src: url }))
    const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * width, height: SCALE * height })
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise(done => canvas.toBlob(done, "image/png"))
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Copy a text and tell whether that worked. */
async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text)  // only there over https and on this very machine
    return true
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true })
    area.style.cssText = "position:fixed;top:0;opacity:0"
    document.body.append(area)
    area.select()
    const copied = document.execCommand("copy")
    area.remove()
    button.focus()
    return copied
  }
}
