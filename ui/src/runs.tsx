// The overview of runs.
import { useEffect, useRef, useState } from "preact/hooks";
import { path, useList, type Run } from "./api";
import { Sweeps } from "./sweeps";
import { Answer, duration, More, number, percent, Table, time }
  from "./parts";
import { money } from "./rounding";

interface Column {
  name: string; number?: boolean;
  by: (run: Run) => string | number; shown: (run: Run) => string;
}
const columns: Column[] = [
  { name: "run", by: (run) => run.id, shown: (run) => run.id },
  { name: "state", by: (run) => run.state, shown: (run) =>
    run.state + (run.waits ? `, waits: ${run.waits}` : "") },
  { name: "iteration", number: true, by: (run) => run.iteration,
    shown: (run) => `${run.iteration}/${run.iterations ?? "–"}` },
  { name: "started (UTC)", by: (run) => run.started_ms,
    shown: (run) => time(run.started_ms) },
  { name: "took", number: true, by: (run) => run.seconds,
    shown: (run) => duration(run.seconds) },
  { name: "seed", number: true, by: (run) => run.seed ?? -1,
    shown: (run) => String(run.seed ?? "–") },
  { name: "cost", number: true, by: (run) => run.cost_usd,
    shown: (run) => run.cost_usd > 0 ? money(run.cost_usd) : "–" },
  { name: "reward", number: true, by: (run) => run.reward ?? -1,
    shown: (run) => number(run.reward) },
  { name: "score", number: true, by: (run) => run.score ?? -1,
    shown: (run) => percent(run.score) },
];

/// Which there may be among runs that are not shown yet; choosing one shows them.
const states_known = ["cancelled", "failed", "finished", "held", "interrupted",
                      "queued", "running", "unreadable"];

export function Runs() {
  const { head, error, more } =
    useList<Run, { runs_dir: string }>("runs", 200);
  const [sort, setSort] = useState({ column: "", down: false });
  const [word, setWord] = useState("");
  const [state, setState] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  // What is searched or sorted is all runs, not those that are shown so far.
  const asked = useRef(0);
  useEffect(() => {
    const shown = head?.items.length ?? 0;
    if (!head || shown >= head.total || asked.current === shown) return;
    if (!word && !state && !sort.column) return;
    asked.current = shown;
    void more();
  }, [head, word, state, sort.column]);
  const choose = (column: string) =>
    setSort({ column, down: sort.column === column && !sort.down });
  return (
    <Answer of={{ value: head, error }}>{(runs) => {
      const states = [...new Set([
        ...runs.items.length < runs.total ? states_known : [],
        ...state ? [state] : [],
        ...runs.items.map((run) => run.state)])].sort();
      let rows = runs.items.filter((run) =>
        (!state || run.state === state)
        && `${run.id} ${run.group}`.toLowerCase().includes(word.toLowerCase()));
      const column = columns.find((one) => one.name === sort.column);
      if (column)
        rows = [...rows].sort((a, b) => {
          const [x, y] = [column.by(a), column.by(b)];
          return (x < y ? -1 : x > y ? 1 : 0) * (sort.down ? -1 : 1);
        });
      return <>
        <h1>Runs</h1>
        <p class="quiet">{runs.runs_dir}</p>
        <div class="bar">
          <label>Name or group
            <input type="search" value={word}
                   onInput={(e) => setWord(e.currentTarget.value)} />
          </label>
          <label>State
            <select value={state}
                    onChange={(e) => setState(e.currentTarget.value)}>
              <option value="">all</option>
              {states.map((one) => <option>{one}</option>)}
            </select>
          </label>
        </div>
        <Sweeps word={word} state={state} />
        <p class="quiet" role="status">{chosen.length > 1
          ? <a href={`#/compare?runs=${encodeURIComponent(chosen.join(" "))}`}>
            Compare {chosen.join(", ")}</a>
          : "Tick two runs or more to compare them."}</p>
        <Table label="Runs" head={<><td />{columns.map((one) =>
          <th class={one.number ? "number" : ""} scope="col"
              aria-sort={sort.column !== one.name ? "none"
                         : sort.down ? "descending" : "ascending"}>
            <button onClick={() => choose(one.name)}>{one.name}</button>
          </th>)}</>}>
          {rows.map((run) => <tr key={run.id}>
            <td><input type="checkbox" aria-label={`Compare ${run.id}`}
              checked={chosen.includes(run.id)}
              onChange={(e) => setChosen(e.currentTarget.checked
                ? [...chosen, run.id]
                : chosen.filter((id) => id !== run.id))} /></td>
            {columns.map((one, i) =>
            <td class={one.number ? "number" : ""}>
              {i ? one.shown(run)
                 : <a href={`#/${path("runs", run.id)}`}>{run.id}</a>}
            </td>)}</tr>)}
        </Table>
        {rows.length < runs.items.length
          && <p class="quiet">{rows.length} of {runs.items.length} match</p>}
        <More shown={runs.items.length} total={runs.total} what="runs"
              more={more} />
      </>;
    }}</Answer>);
}
