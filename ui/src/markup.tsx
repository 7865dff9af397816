// Charts that the program draws, as elements of the page. They are parsed as XML
// and only what charts are made of is taken over, so no text becomes a script.
import { Fragment, h, type ComponentChild } from "preact";
import type { Chart, Figures } from "./sweep_api";

const tags = new Set(["svg", "g", "rect", "line", "polyline", "polygon",
  "circle", "path", "text", "tspan", "title", "desc", "ul", "li"]);
const attributes = new Set(["id", "class", "viewBox", "role", "aria-hidden",
  "aria-labelledby", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx",
  "width", "height", "points", "d", "transform", "fill-opacity",
  "text-anchor"]);

function element(from: Node): ComponentChild {
  if (from.nodeType === Node.TEXT_NODE) return from.nodeValue;
  if (!(from instanceof Element) || !tags.has(from.localName)) return null;
  const taken = [...from.attributes].filter(({ name }) => attributes.has(name))
    .map(({ name, value }) => [name, value]);
  return h(from.localName, Object.fromEntries(taken),
           [...from.childNodes].map(element));
}

/// Null if it is no XML.
function parsed(xml: string) {
  const root = new DOMParser().parseFromString(xml, "application/xml")
    .documentElement;
  return root.getElementsByTagName("parsererror").length
         || root.localName === "parsererror" ? null : element(root);
}

/// A table as the report of a sweep has it.
export function FigureTable({ of }: { of: Figures }) {
  return (
    <div class="wide" role="region" aria-label={of.caption} tabIndex={0}>
      <table>
        <caption>{of.caption}</caption>
        <thead><tr>{of.columns.map((column) =>
          <th scope="col" class={column.number ? "number" : ""}>
            {column.name}</th>)}</tr></thead>
        <tbody>{of.rows.map((row, i) => <tr class={of.marked === i ? "best" : ""}>
          {row.map((cell, j) => h(j === of.header ? "th" : "td",
            { scope: j === of.header ? "row" : undefined,
              class: of.columns[j].number ? "number" : "title" },
            cell.text, cell.note && <small>{cell.note}</small>))}
        </tr>)}</tbody>
      </table>
    </div>);
}

export function Figure({ of }: { of: Chart }) {
  return (
    <section class="figure" aria-label={of.title}>
      <h3>{of.title}</h3>
      {of.reading && <p class="quiet">{of.reading}</p>}
      {parsed(of.svg)}
      {of.key && <Fragment>{parsed(`<ul class="key">${of.key}</ul>`)}</Fragment>}
      <details><summary>The numbers</summary>
        <FigureTable of={{ ...of.numbers,
          caption: `${of.title}: ${of.numbers.caption}` }} /></details>
    </section>);
}
