// A run that goes on: what it does, what it waits for, who works.
import { path, type RunDetail } from "./api";
import type { Barrier, Live, LivePoint, Now, Worker } from "./live";
import { counted, duration, Facts, number, short, Table } from "./parts";
import { fixed, money } from "./rounding";
import { useState } from "preact/hooks";

type Axis = "iteration" | "rollouts" | "cost_usd";
const axes: { name: Axis; label: string; shown: (value: number) => string }[] = [
  { name: "iteration", label: "iterations", shown: String },
  { name: "rollouts", label: "rollouts", shown: String },
  { name: "cost_usd", label: "cost", shown: money },
];

/// The reward of the published versions when each barrier closed, from 0 to 1.
export function BestSoFar({ points }: { points: LivePoint[] }) {
  const [wanted, setWanted] = useState<Axis>("iteration");
  const known = axes.filter(({ name }) =>
    points.every((one) => one[name] !== undefined)
    && (name !== "cost_usd" || points.some((one) => one.cost_usd! > 0)));
  const axis = known.find(({ name }) => name === wanted) ?? axes[0];
  const value = (one: LivePoint) => one[axis.name] ?? 0;
  const last = Math.max(axis.name === "cost_usd" ? 1e-9 : 1,
                        ...points.map(value));
  const strategies = [...new Set(points.map((one) => one.strategy))];
  const x = (one: LivePoint) => 40 + 540 * value(one) / last;
  const y = (reward: number) => 170 - 150 * reward;
  const of = (strategy: string) =>
    points.filter((one) => one.strategy === strategy);
  return <>
    {known.length > 1 && <div class="bar"><label>Over
      <select value={axis.name} onChange={(event) =>
          setWanted(event.currentTarget.value as Axis)}>
        {known.map(({ name, label }) => <option value={name}>{label}</option>)}
      </select></label></div>}
    <svg class="chart" viewBox="0 0 600 200" role="img"
         aria-label={`Reward of the published versions of ${
           strategies.join(" and ")} over ${axis.label}, to ${
           axis.shown(last)}`}>
      {[0, .5, 1].map((reward) => <>
        <line x1={40} x2={580} y1={y(reward)} y2={y(reward)} />
        <text x={34} y={y(reward) + 4} text-anchor="end">{reward}</text>
      </>)}
      {strategies.map((strategy, i) =>
        <polyline class={`s${i % 4}`} points={of(strategy).flatMap((one) =>
          one.reward === undefined ? [] : `${x(one)},${y(one.reward)}`)
          .join(" ")} />)}
      <text x={40} y={192}>{axis.label} 0</text>
      <text x={580} y={192} text-anchor="end">{axis.shown(last)}</text>
    </svg>
    <ul class="plain">{strategies.map((strategy, i) =>
      <li><svg class="chart sample" viewBox="0 0 40 8" aria-hidden="true">
        <polyline class={`s${i % 4}`} points="0,4 40,4" /></svg>
        {strategy}: {number(of(strategy).at(-1)?.reward)}</li>)}</ul>
  </>;
}

function BarrierView({ run, one }: { run: string; one: Barrier }) {
  const done = one.phase === "finished" ? one.iterations
    : one.phase !== "expanding" || !one.iteration ? 0
    : one.iteration - 1 + (one.trees ? one.trees_reported / one.trees : 0);
  const waits = one.phase === "expanding" && one.trees_reported > 0
    && one.trees_reported < one.trees;
  return (
    <li><label class="barrier">{one.search}: {one.phase || "not begun"}
      {one.phase === "expanding" && <>, iteration {one.iteration} of
        {" "}{one.iterations}, {one.trees_reported} of
        {" "}{counted(one.trees, "tree")} reported</>}
      <progress max={one.iterations || 1} value={done} /></label>
      {waits && <p class="quiet">
        The others have waited {duration(one.waiting_s ?? 0)} for
        {one.missing.map((tree, i) => <>{i ? ", " : " "}
          <a href={`#/${path("runs", run, "trees", one.search, tree)}`}>
            tree {tree}</a></>)}
        {one.missing.length < one.trees - one.trees_reported && " and others"}.
      </p>}
    </li>);
}

function Workers({ now, all }: { now: Now; all: Worker[] }) {
  return <>
    <h3>{counted(now.workers_total ?? 0, "worker")}, {now.slots_busy} of
      {" "}{counted(now.slots ?? 0, "slot")} busy</h3>
    {all.length > 0 && <Table label="Workers" head={<>
      <th scope="col">worker</th><th scope="col">host</th>
      <th scope="col">state</th><th class="number" scope="col">busy</th>
      <th class="number" scope="col">done</th>
      <th class="number" scope="col">failed</th>
      <th scope="col">last error</th></>}>
      {all.map((one) => <tr>
        <td>{one.name}</td><td>{one.host}</td>
        <td class={one.state === "suspended" ? "bad" : ""}>{one.state}</td>
        <td class="number">{one.busy} of {one.slots}</td>
        <td class="number">{one.done}</td><td class="number">{one.failed}</td>
        <td class="title">{one.last_error || "–"}</td></tr>)}
    </Table>}
    {all.length < (now.workers_total ?? 0) && <p class="quiet">
      {all.length} of {now.workers_total} workers</p>}
  </>;
}

/// What the run's process says of itself.
export function LivePanel({ run, live }: { run: RunDetail; live: Live }) {
  const { now } = live;
  if (!now)
    return run.waits ? <p role="status"><strong>Waits</strong>: {run.waits}</p>
                     : null;
  const cost = now.cost_usd === undefined ? []
    : [["cost", `${money(now.cost_usd)}${now.cost_max_usd
        ? ` of ${money(now.cost_max_usd)}` : ""}`] as [string, string]];
  return (
    <section aria-label="Live" class="live">
      <h2>Now</h2>
      {live.problem && <p class="bad">{live.problem}</p>}
      <div role="status">
        {now.waits.map((why) => <p><strong>Waits</strong>: {why}</p>)}
        {now.failed_jobs > 0 && <p class="bad">
          {counted(now.failed_jobs, "job")} given up:
          {" "}<code>brewery quarantine list</code> says why.</p>}
      </div>
      <ul class="plain">{now.searches.map((one) =>
        <BarrierView run={run.id} one={one} />)}</ul>
      <Facts rows={[
        ["phase", now.phase || "–"],
        ["rollouts", `${live.rollouts}, ${
          fixed(now.rollouts_per_second, 1)} per second`],
        ["mean reward", number(live.graded ? live.rewards / live.graded
                                           : undefined)],
        ["jobs", `${now.running ?? 0} running, ${now.queued ?? 0} queued`],
        ["takes still", now.seconds_left === undefined ? "not known yet"
          : `about ${duration(now.seconds_left)}`],
        ...cost,
        ...(now.models ? [["models", now.models] as [string, string]] : []),
      ]} />
      {now.workers && <Workers now={now} all={now.workers} />}
      {live.latest.length > 0 && <>
        <h3>Latest rollouts</h3>
        <ul>{[...live.latest].reverse().map((one) => <li key={one.id}>
          <a href={`#/${path("runs", run.id, "rollouts", one.id)}`}>
            {one.task} {short(one.id)}</a>
          {" "}{one.graded ? `reward ${number(one.reward)}` : "no grade"}
        </li>)}</ul></>}
    </section>);
}
