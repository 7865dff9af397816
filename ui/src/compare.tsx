// Runs beside each other, paired by task.
import { useState } from "preact/hooks";
import { getAll, path, useAsked } from "./api";
import { Answer, bucket, counted, percent, Table } from "./parts";
import { fixed } from "./rounding";
import type { ComparedTask, Comparison, Contender } from "./sweep_api";

export const points = (value: number) =>
  `${value < 0 ? "−" : "+"}${fixed(100 * Math.abs(value), 1)}`;

/// Scores with their intervals, one row each.
function Intervals({ of }: { of: Contender[] }) {
  const scored = of.filter((one) => one.score !== null);
  const x = (share: number) => 10 + 480 * share;
  const row = 44;
  const bottom = row * of.length;
  return (
    <svg class="intervals" viewBox={`0 0 500 ${bottom + 24}`} role="img"
         aria-label={`Scores with 95 % intervals of ${scored.map((one) =>
           `${one.name}, ${percent(one.score!)}`).join("; ")}`}>
      {[0, .25, .5, .75, 1].map((share) => <>
        <line x1={x(share)} x2={x(share)} y1={0} y2={bottom} class="grid" />
        <text x={x(share)} y={bottom + 18}
              text-anchor={share === 0 ? "start" : share === 1 ? "end"
                           : "middle"}>
          {100 * share} %</text></>)}
      {of.map((one, i) => <>
        <text x={16} y={row * i + 15}>{one.name}</text>
        {one.score !== null && <>
          <line x1={x(one.score_low)} x2={x(one.score_high)}
                y1={row * i + 29} y2={row * i + 29} class="span" />
          <circle cx={x(one.score)} cy={row * i + 29} r={6}
                  class={bucket(one.score)} /></>}
      </>)}
    </svg>);
}

function Contenders({ of }: { of: Comparison }) {
  return (
    <Table label="Scores" head={<>
      <th scope="col">run</th><th class="number" scope="col">seeds</th>
      <th class="number" scope="col">tasks</th>
      <th class="number" scope="col">{of.score}</th>
      <th class="number" scope="col">95 % interval</th>
      <th class="number" scope="col">paired difference, points</th>
      <th class="number" scope="col">paired</th></>}>
      {of.contenders.map((one, i) => <tr>
        <td class="title">{of.runs[i].length === 1
          ? <a href={`#/${path("runs", of.runs[i][0])}`}>{one.name}</a>
          : <>{one.name}<details><summary>its runs</summary>
            <ul>{of.runs[i].map((run) =>
              <li><a href={`#/${path("runs", run)}`}>{run}</a></li>)}</ul>
          </details></>}</td>
        <td class="number">{one.runs}</td><td class="number">{one.tasks}</td>
        {one.score === null ? <><td class="number">unknown</td><td /></> : <>
          <td class="number">{percent(one.score)}</td>
          <td class="number">{percent(one.score_low)} to
            {" "}{percent(one.score_high)}</td></>}
        {i === 0 ? <><td class="number">–</td><td class="number">–</td></>
          : one.difference === null
          ? <><td class="number">unknown</td><td class="number">0</td></> : <>
          <td class="number">{points(one.difference)}
            <small>{points(one.difference_low)} to
              {" "}{points(one.difference_high)}</small></td>
          <td class="number">{one.paired_runs} × {one.paired_tasks}</td></>}
      </tr>)}
    </Table>);
}

/// The largest difference of a task, for the order.
const size = (task: ComparedTask) =>
  Math.max(...task.differences.map((one) => Math.abs(one ?? 0)));

function Tasks({ of, tasks }: { of: Comparison; tasks: ComparedTask[] }) {
  const [all, setAll] = useState(false);
  const [word, setWord] = useState("");
  const differing = tasks.filter((task) => size(task) > 0);
  const shown = (all ? tasks : differing)
    .filter((task) => task.task.toLowerCase().includes(word.toLowerCase()));
  if (!all) shown.sort((a, b) => size(b) - size(a));
  const grade = (task: ComparedTask, i: number) => {
    const value = task.grades[i];
    const text = value === null ? "no score" : percent(value);
    return of.runs[i].length !== 1 ? text
      : <a href={`#/${path("runs", of.runs[i][0], "rollouts")}?${
        new URLSearchParams({ task: task.task, arm: of.arms[i] })}`}
           aria-label={`${text}: rollouts of ${task.task}, ${
             of.contenders[i].name}`}>{text}</a>;
  };
  return <>
    <div class="bar">
      <label>Task<input type="search" value={word}
        onInput={(e) => setWord(e.currentTarget.value)} /></label>
      <label>Show<select value={all ? "all" : ""}
        onChange={(e) => setAll(!!e.currentTarget.value)}>
        <option value="">those that differ, the most first</option>
        <option value="all">all, by name</option></select></label>
    </div>
    <Table label="Grades by task" head={<>
      <th scope="col">task</th>
      {of.contenders.map((one, i) => <>
        <th class="number" scope="col">{one.name}</th>
        {i > 0 && <th class="number" scope="col"
                      aria-label={`${one.name}, difference`}>±</th>}</>)}</>}>
      {shown.map((task) => <tr key={task.task}>
        <th scope="row" class="title">{task.task}</th>
        {of.contenders.map((_, i) => {
          const by = task.differences[i];
          return <>
            <td class="number">{grade(task, i)}</td>
            {i > 0 && <td class={`number ${by === null || by === 0 ? "quiet"
              : by > 0 ? "good" : "bad"}`}>
              {by === null ? "–" : by === 0 ? "0" : points(by)}</td>}
          </>;
        })}
      </tr>)}
    </Table>
    <p class="quiet">{shown.length} of {counted(tasks.length, "task")};
      {" "}{differing.length} differ.</p>
  </>;
}

function Options({ of }: { of: Comparison }) {
  if (of.contenders.length < 2) return null;
  return <>
    <h2>In what they differ</h2>
    {!of.options.length ? <p class="quiet">In no option.</p> :
      <Table label="Options" head={<>
        <th scope="col">option</th>
        {of.contenders.map((one) => <th scope="col">{one.name}</th>)}</>}>
        {of.options.map(({ key, values }) => <tr>
          <th scope="row">{key}</th>{values.map((value) =>
            <td class="title">{value}</td>)}</tr>)}
      </Table>}
  </>;
}

function Chosen({ runs, arm }: { runs: string; arm: string }) {
  return (
    <form class="bar" onSubmit={(event) => {
      event.preventDefault();
      const data = new FormData(event.currentTarget);
      const next = new URLSearchParams({ runs: String(data.get("runs")) });
      if (data.get("arm")) next.set("arm", String(data.get("arm")));
      location.hash = `#/compare?${next}`;
    }}>
      <label class="long">Runs, NAME=RUN,RUN for seeds, or a sweep; with spaces
        between<input name="runs" defaultValue={runs} /></label>
      <label>Arm<input name="arm" defaultValue={arm}
        placeholder="published documents" /></label>
      <button>Compare</button>
    </form>);
}

export function Compare({ runs, arm }: { runs: string; arm: string }) {
  const query = new URLSearchParams({ runs });
  if (arm) query.set("arm", arm);
  const asked = useAsked(`compare ${query}`, () =>
    getAll<ComparedTask, Comparison>(`compare?${query}`));
  return <>
    <h1>Runs beside each other</h1>
    <Chosen key={String(query)} runs={runs} arm={arm} />
    {asked.error ? <p role="alert" class="bad">{asked.error}</p> :
      <Answer of={asked}>{(made) => <>
        <p class="quiet">{made.score === "success" ? "Success" : "Mean grade"} on
          sealed tasks of {made.benchmark}. Differences are to the first, task by
          task; intervals as of `brewery compare`.</p>
        <Contenders of={made} />
        <Intervals of={made.contenders} />
        {made.cut?.map((one) => <p class="quiet">{one.name}: run {one.run} {" "}
          {one.what}, so it has no score.</p>)}
        {made.left_out?.map((one) => <p class="quiet">{one.name}: run {one.run}
          {" "}is left out: {one.what}.</p>)}
        <Options of={made} />
        <h2>Task by task</h2>
        <Tasks of={made} tasks={made.items} />
      </>}</Answer>}
  </>;
}
