// Plots: pictures of numbers, each with its numbers as a table for those who do not see it.
import { svg } from "../boards/svg.js";
import { element, table } from "./common.js";
import { number, say } from "./words.js";

const width = 640;
const height = 240;
const edge = { left: 56, right: 12, top: 12, bottom: 34 };
const letter = 9; // about the width of one below the axis, with the space between two labels
const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };

// Round steps, no more than `most` of them, that cover low .. high.
export function steps(low, high, most = 6) {
  const rough = Math.max(high - low, 1e-9) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

const tidy = (value) => number(Number(value.toPrecision(6)));

function scaleOf(marks, from, to) {
  const [low, high] = [marks[0], marks.at(-1)];
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

function leftAxis(marks, y, format) {
  return marks.map((mark) => [
    svg("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(mark), y2: y(mark) }),
    svg("text", { class: "mark", x: edge.left - 6, y: y(mark) + 4, "text-anchor": "end" }, format(mark)),
  ]);
}

function below(x, text) {
  return svg("text", { class: "mark", x, y: height - edge.bottom + 18, "text-anchor": "middle" }, text);
}

// A picture with its caption, and its numbers: `columns` and `rows` as table() takes them.
function figure(caption, parts, columns, rows) {
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": caption }, parts);
  return element("figure", { class: "plot" }, element("figcaption", {}, caption), picture,
    element("details", {}, element("summary", {}, say("plot.numbers")), table(caption, columns, rows)));
}

/* ---- Bars: how often each value came ---- */

// Whole numbers in bins of equal width: [{ low, high, count }].
function binsOf(values, most = 16) {
  const marks = steps(Math.min(...values), Math.max(...values) + 1, most);
  const size = Math.max(Math.ceil(marks[1] - marks[0]), 1);
  const first = Math.floor(Math.min(...values) / size) * size;
  const bins = Array.from({ length: Math.floor((Math.max(...values) - first) / size) + 1 }, (_, i) => (
    { low: first + i * size, high: first + (i + 1) * size - 1, count: 0 }));
  for (const value of values) bins[Math.floor((value - first) / size)].count++;
  return bins;
}

const binName = ({ low, high }) => (low === high ? number(low) : `${number(low)}–${number(high)}`);

// `names`: of what is counted, and of how many.
export function barPlot(caption, values, names) {
  const bins = binsOf(values);
  const marks = steps(0, Math.max(...bins.map((bin) => bin.count)), 4).filter(Number.isInteger);
  const y = scaleOf(marks, edge.top + inner.height, edge.top);
  const step = inner.width / bins.length;
  const widest = Math.max(...bins.map((bin) => binName(bin).length)) * letter;
  const every = Math.ceil(widest / step);
  const middle = (i) => edge.left + (i + 0.5) * step;
  const bars = bins.map((bin, i) => [
    svg("rect", { class: "bar", x: edge.left + i * step + 1, width: Math.max(step - 2, 1), y: y(bin.count), height: y(0) - y(bin.count) },
      svg("title", {}, `${binName(bin)}: ${number(bin.count)}`)),
    i % every === 0 && middle(i) + widest / 2 <= width ? below(middle(i), binName(bin)) : null,
  ]);
  return figure(caption, [leftAxis(marks, y, tidy), bars],
    [{ text: names.value, header: true }, { text: names.count, number: true }], bins.map((bin) => [binName(bin), number(bin.count)]));
}

/* ---- Intervals: values that are not known exactly ---- */

// `items`: [{ name, value, low, high, strong }]; `even`: where all would be if none were better. Parts of 1, shown in percent.
export function intervalPlot(caption, items, even, names) {
  const percent = (value) => say("plot.percent", { value: number(value * 100, 1) });
  const wholePercent = (value) => say("plot.percent", { value: number(Math.round(value * 1000) / 10) });
  const marks = steps(Math.min(...items.map((each) => each.low), even), Math.max(...items.map((each) => each.high), even), 5);
  const y = scaleOf(marks, edge.top + inner.height, edge.top);
  const step = inner.width / items.length;
  const drawn = items.map((each, i) => {
    const x = edge.left + (i + 0.5) * step;
    return [
      svg("line", { class: "range", x1: x, x2: x, y1: y(each.low), y2: y(each.high) }),
      [each.low, each.high].map((end) => svg("line", { class: "range", x1: x - 8, x2: x + 8, y1: y(end), y2: y(end) })),
      svg("circle", { class: each.strong ? "dot strong" : "dot", cx: x, cy: y(each.value), r: 5 }, svg("title", {}, `${each.name}: ${percent(each.value)}`)),
      below(x, each.name),
    ];
  });
  return figure(caption, [leftAxis(marks, y, wholePercent), svg("line", { class: "even", x1: edge.left, x2: width - edge.right, y1: y(even), y2: y(even) }), drawn],
    [{ text: names.item, header: true }, { text: names.value, number: true }, { text: names.low, number: true }, { text: names.high, number: true }],
    items.map((each) => [each.name, percent(each.value), percent(each.low), percent(each.high)]));
}

/* ---- Lines: how a value went ---- */

// `points`: [{ name, value, href }] in order of time. `least`: what the axis spans at least, so that little changes look little.
export function linePlot(caption, points, names, format, least = 0) {
  const [low, high] = [Math.min(...points.map((each) => each.value)), Math.max(...points.map((each) => each.value))];
  const room = Math.max(least - (high - low), 0) / 2;
  const marks = steps(low - room, high + room, 5);
  const y = scaleOf(marks, edge.top + inner.height, edge.top);
  const x = (i) => edge.left + (points.length === 1 ? inner.width / 2 : (i / (points.length - 1)) * inner.width);
  const dots = points.length > 60 ? [] : points.map((each, i) => svg("circle", { class: "dot", cx: x(i), cy: y(each.value), r: 3.5 }, svg("title", {}, `${each.name}: ${format(each.value)}`)));
  return figure(caption, [leftAxis(marks, y, tidy), svg("polyline", { class: "course", points: points.map((each, i) => `${x(i)},${y(each.value)}`).join(" ") }), dots,
    below(x(0), number(1)), points.length > 1 ? below(x(points.length - 1), number(points.length)) : null],
    [{ text: names.item, header: true }, { text: names.value, number: true }], points.map((each) => [each.part ?? each.name, format(each.value)]));
}
