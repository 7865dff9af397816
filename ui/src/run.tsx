// One run: state, arms, best-so-far, concepts.
import { get, getAll, path, useAsked, type Progress, type RunDetail, type Tree }
  from "./api";
import { Answer, duration, Facts, number, percent, Table, time } from "./parts";

/// The reward of the published versions after each iteration, from 0 to 1.
function Chart({ progress }: { progress: Progress[] }) {
  const last = Math.max(1, ...progress.map((one) => one.iteration));
  const strategies = [...new Set(progress.map((one) => one.strategy))];
  const x = (iteration: number) => 40 + 540 * iteration / last;
  const y = (reward: number) => 170 - 150 * reward;
  const points = (strategy: string) => progress
    .filter((one) => one.strategy === strategy)
    .map((one) => `${x(one.iteration)},${y(one.reward)}`).join(" ");
  return <>
    <svg class="chart" viewBox="0 0 600 200" role="img"
         aria-label={`Reward of the published versions of ${
           strategies.join(" and ")}, to iteration ${last}`}>
      {[0, .5, 1].map((reward) => <>
        <line x1={40} x2={580} y1={y(reward)} y2={y(reward)} />
        <text x={34} y={y(reward) + 4} text-anchor="end">{reward}</text>
      </>)}
      {strategies.map((strategy, i) =>
        <polyline class={`s${i % 4}`} points={points(strategy)} />)}
      <text x={40} y={192}>iteration 0</text>
      <text x={580} y={192} text-anchor="end">{last}</text>
    </svg>
    <ul>{strategies.map((strategy, i) =>
      <li><svg class="chart sample" viewBox="0 0 40 8" aria-hidden="true">
        <polyline class={`s${i % 4}`} points="0,4 40,4" /></svg>
        {strategy}: {number(progress.filter((one) =>
          one.strategy === strategy).at(-1)?.reward)}</li>)}</ul>
  </>;
}

function Arms({ run }: { run: RunDetail }) {
  if (!run.evaluations.length)
    return <p class="quiet">The run has no final evaluation yet.</p>;
  return (
    <Table label="Arms of the final evaluation" head={<>
      <th scope="col">arm</th><th scope="col">split</th>
      <th class="number" scope="col">tasks</th>
      <th class="number" scope="col">success</th>
      <th class="number" scope="col">no score</th><td></td></>}>
      {run.evaluations.map((arm) => <tr>
        <td>{arm.name}</td><td>{arm.split}</td>
        <td class="number">{arm.tasks}</td>
        <td class="number">{percent(arm.reward)}</td>
        <td class="number">{percent(arm.ungraded_share)}</td>
        <td><a href={`#/${path("runs", run.id, "rollouts")}?arm=${
          encodeURIComponent(arm.name)}`}
               aria-label={`rollouts of ${arm.name}`}>rollouts</a></td>
      </tr>)}
    </Table>);
}

function Concepts({ run }: { run: string }) {
  const trees = useAsked(`trees ${run}`, () =>
    getAll<Tree, object>(path("runs", run, "trees")));
  return (
    <Answer of={trees}>{(all) =>
      !all.total ? <p class="quiet">No concept is on record yet.</p> :
      <Table label="Trees" head={<>
        <th scope="col">search</th><th scope="col">concept</th>
        <th class="number" scope="col">versions</th>
        <th class="number" scope="col">equal, left out</th>
        <th class="number" scope="col">iteration</th>
        <th class="number" scope="col">reward</th><td></td></>}>
        {all.items.map((tree) => <tr>
          <td>{tree.strategy}</td>
          <td class="title"><a href={`#/${path("runs", run, "trees",
            tree.strategy, tree.concept)}`}>{tree.concept} {tree.title}</a></td>
          <td class="number">{tree.versions || "not recorded"}</td>
          <td class="number">{tree.dropped}</td>
          <td class="number">{tree.iteration}</td>
          <td class="number">{number(tree.best?.reward)}</td>
          <td><a href={`#/${path("runs", run, "lines", tree.strategy,
            tree.concept)}`}
                 aria-label={`evidence of ${tree.title}, ${tree.strategy}`}>
            evidence</a></td>
        </tr>)}
      </Table>}</Answer>);
}

export function RunPage({ id }: { id: string }) {
  const asked = useAsked(`run ${id}`, () =>
    get<RunDetail>(path("runs", id)));
  return (
    <Answer of={asked}>{(run) => <>
      <h1>{run.id}</h1>
      <Facts rows={[
        ["state", run.state + (run.reason ? `: ${run.reason}` : "")],
        ["iteration", `${run.iteration} of ${run.iterations}`],
        ["started", `${time(run.started_ms)} UTC`],
        ["took", duration(run.seconds)], ["seed", run.seed],
        ["cost", run.cost_usd > 0 ? `$${run.cost_usd.toFixed(2)}` : "–"],
        ["score", percent(run.score)],
        ...(run.problem ? [["problem", run.problem] as [string, string]] : []),
      ]} />
      <p><a href={`#/${path("runs", id, "rollouts")}`}>All rollouts</a>{" · "}
        <a href={`#/${path("runs", id, "kb")}`}>Knowledge base</a></p>
      <h2>Final evaluation</h2>
      <Arms run={run} />
      <h2>Best so far</h2>
      {run.progress.length ? <Chart progress={run.progress} />
        : <p class="quiet">No iteration has ended yet.</p>}
      <h2>Concepts</h2>
      <Concepts run={id} />
    </>}</Answer>);
}
