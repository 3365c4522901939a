// What a stage looks like: a vector in two or three small pictures, a histogram of scores, or bars.

/** Each number as a column of its own, upwards or downwards from 0. */
function strip({ values, low, high }) {
  const y = value => 100 * (high - value) / (high - low), zero = y(0)
  const columns = values.map((value, i) => `M${i} ${zero}V${y(value)}h.85V${zero}z`).join("")
  return shape("svg", { viewBox: `0 0 ${values.length} 100`, preserveAspectRatio: "none" },
    shape("path", { class: "zero", d: `M0 ${zero}H${values.length}` }), shape("path", { class: "mark", d: columns }))
}

/** How often each value occurs, lying beside the strip on the same axis. */
function sideways({ counts, low, high }) {
  const most = Math.max(...counts), n = counts.length, zero = n * high / (high - low)
  const bars = counts.map((count, i) => `M0 ${n - 1 - i}H${100 * count / most}v.85H0z`).join("")
  return shape("svg", { viewBox: `0 0 100 ${n}`, preserveAspectRatio: "none" },
    shape("path", { class: "zero", d: `M0 ${zero}H100` }), shape("path", { class: "mark", d: bars }))
}

/** Every number before and after. */
function dots(before, after) {
  const x = value => 100 * (value - before.low) / (before.high - before.low)
  const y = value => 100 * (after.high - value) / (after.high - after.low)
  const all = before.values.map((value, i) => `M${x(value).toFixed(2)} ${y(after.values[i]).toFixed(2)}h.01`).join("")
  return shape("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" },
    shape("path", { class: "zero", d: `M${x(0)} 0V100M0 ${y(0)}H100` }), shape("path", { class: "dots", d: all }))
}

/** How many scores lie where, upwards on a logarithmic axis: the best ones are few among thousands. */
function histogram({ counts }) {
  const height = count => count ? 100 * (0.06 + 0.94 * Math.log(count) / Math.log(Math.max(...counts, 2))) : 0
  const bars = counts.map((count, i) => `M${i} 100V${100 - height(count)}h.85V100z`).join("")
  return shape("svg", { viewBox: `0 0 ${counts.length} 100`, preserveAspectRatio: "none" },
    shape("path", { class: "mark", d: bars }))
}

/** A picture with its name, and the ends of its axis where it has one. */
function figure(className, drawing, name, ...around) {
  drawing.setAttribute("role", "img")
  drawing.setAttribute("aria-label", name)
  return el("div", { className: `picture ${className}` }, drawing, ...around)
}

const end = (className, text) => el("span", { className: `end ${className}`, ariaHidden: "true" }, text)

function pictures(stage, words, full) {
  if (stage.bars) return [barTable(stage.name, stage.bars, words, full)]
  return stage.scores ? [scoresOf(stage, words)] : vectorOf(stage, words)
}

function vectorOf({ name, size, vector, before }, words) {
  const [low, high] = vector.ends
  const found = [
    figure("strip", strip(vector), fill(words.strip, { name, size, low, high }), end("high", high), end("low", low)),
    figure("sideways", sideways(vector), fill(words.counts, { name })),
  ]
  if (before) {
    const around = [end("across", words.across), end("upwards", words.upwards)]
    found.push(figure("scatter", dots(before, vector), fill(words.dots, { name }), ...around))
  }
  return found
}

function scoresOf({ scores }, words) {
  const marks = scores.marks.map(({ at, text }) => {
    const mark = el("span", { className: "score" }, el("b", {}, text))
    mark.style.left = `${100 * at}%`
    mark.firstChild.style.transform = `translateX(-${100 * at}%)`
    return mark
  })
  const name = fill(words.scores, { marks: scores.marks.map(({ text }) => text).join(words.comma) })
  return el("div", { className: "scores" }, el("div", { className: "marks" }, ...marks),
    figure("histogram", histogram(scores), name, end("low", scores.ends[0]), end("high", scores.ends[1])))
}

function barTable(title, bars, words, full) {
  const columns = ["word", "bar", "share"].map(className => el("col", { className })), body = el("tbody")
  const heads = [words.word, "", words.share].map(text => text ? el("th", { scope: "col" }, text) : el("td"))
  showBars(body, bars, full)
  return el("table", { className: "bars" }, el("caption", { className: "unseen" }, title), el("colgroup", {}, ...columns),
    el("thead", { className: "unseen" }, el("tr", {}, ...heads)), body)
}
