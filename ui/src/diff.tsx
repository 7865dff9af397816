// A unified difference, in one column or side by side.
import { useState } from "preact/hooks";

const kindOf = (line: string) =>
  line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@")
    ? "hunk" : line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus"
    : "";

interface Row { left?: string; right?: string; hunk?: string }

/// Lines that went beside those that came in their place.
function rowsOf(lines: string[]) {
  const rows: Row[] = [];
  let open = 0; // the first row that has no right side yet
  for (const line of lines) {
    const kind = kindOf(line);
    if (kind === "minus") {
      rows.push({ left: line.slice(1) });
    } else if (kind === "plus") {
      while (open < rows.length && (rows[open].left === undefined
                                    || rows[open].right !== undefined
                                    || rows[open].hunk)) open++;
      if (open < rows.length) rows[open].right = line.slice(1);
      else rows.push({ right: line.slice(1) });
    } else {
      rows.push(kind === "hunk" ? { hunk: line }
                : { left: line.slice(1), right: line.slice(1) });
      open = rows.length;
    }
  }
  return rows;
}

function Sides({ lines }: { lines: string[] }) {
  return (
    <table class="diff two"><tbody>
      {rowsOf(lines).map(({ left, right, hunk }) => hunk !== undefined
        ? <tr><td colSpan={2} class="hunk">{hunk}</td></tr>
        : <tr><td class={left === undefined || left === right ? "" : "minus"}>
            {left}</td>
          <td class={right === undefined || left === right ? "" : "plus"}>
            {right}</td></tr>)}
    </tbody></table>);
}

export function Diff({ text }: { text: string }) {
  const [two, setTwo] = useState(false);
  const lines = text.replace(/\n$/, "").split("\n");
  return <>
    <p><button onClick={() => setTwo(!two)} aria-pressed={two}>
      Side by side</button></p>
    {two ? <Sides lines={lines} />
      : <pre class="diff">{lines.map((line) =>
        <span class={kindOf(line)}>{line}</span>)}</pre>}
  </>;
}
