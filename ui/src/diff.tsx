// A unified difference, in one column or side by side.
import { useState } from "preact/hooks";

type Kind = "hunk" | "plus" | "minus" | "";

/// The names of the two texts come before the first hunk. After it "---" is a
/// line "--" that went.
function kindsOf(lines: string[]) {
  let inHunk = false;
  return lines.map((line): Kind => {
    if (line.startsWith("@@")) {
      inHunk = true;
      return "hunk";
    }
    if (!inHunk && /^(\+\+\+|---)/.test(line)) return "hunk";
    return line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : "";
  });
}

interface Row { left?: string; right?: string; hunk?: string }

/// Lines that went beside those that came in their place.
function rowsOf(lines: string[], kinds: Kind[]) {
  const rows: Row[] = [];
  let open = 0; // the first row that has no right side yet
  for (const [i, line] of lines.entries()) {
    const kind = kinds[i];
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

function Sides({ lines, kinds }: { lines: string[]; kinds: Kind[] }) {
  return (
    <table class="diff two"><tbody>
      {rowsOf(lines, kinds).map(({ left, right, hunk }) => hunk !== undefined
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
  const kinds = kindsOf(lines);
  return <>
    <p><button onClick={() => setTwo(!two)} aria-pressed={two}>
      Side by side</button></p>
    {two ? <Sides lines={lines} kinds={kinds} />
      : <pre class="diff">{lines.map((line, i) =>
        <span class={kinds[i]}>{line}</span>)}</pre>}
  </>;
}
