// One run: state, arms, best-so-far, concepts.
import { useEffect, useReducer } from "preact/hooks";
import { get, getAll, path, useAsked, type RunDetail, type Tree } from "./api";
import { useLive } from "./live";
import { BestSoFar, LivePanel } from "./live_panel";
import { learnerName, Memory } from "./memory";
import { Answer, duration, Facts, percent, rewardText, Table, time }
  from "./parts";
import { money } from "./rounding";

function Arms({ run }: { run: RunDetail }) {
  if (!run.evaluations.length)
    return <p class="quiet">The run has no final evaluation{
      run.final_evaluation === false
        ? ", as its configuration says: `brewery eval` measures its documents."
        : run.state === "finished" ? "." : " yet."}</p>;
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

function Concepts({ run, again }: { run: string; again: number }) {
  const trees = useAsked(`trees ${run}`, () =>
    getAll<Tree, object>(path("runs", run, "trees")), again);
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
          <td class="number">{rewardText(tree.best)}</td>
          <td>{tree.best?.empty ? <span class="quiet">empty, not published</span>
            : <a href={`#/${path("runs", run, "lines", tree.strategy,
                                 tree.concept)}`}
                 aria-label={`evidence of ${tree.title}, ${tree.strategy}`}>
              evidence</a>}</td>
        </tr>)}
      </Table>}</Answer>);
}

export function RunPage({ id }: { id: string }) {
  const [asked, ask] = useReducer((count: number, _: number) => count + 1, 0);
  const [followed, follow] = useReducer((count: number, _: number) => count + 1, 0);
  const answer = useAsked(`run ${id}`, () => get<RunDetail>(path("runs", id)),
                          asked);
  const live = useLive(id, followed);
  // A barrier that closes, and the run's end, change the rest of the page.
  useEffect(() => {
    if (live.whole) ask(0);
  }, [live.whole, live.over, live.points.length]);
  // It has not begun, or is stopped, or its process has just started.
  const may_go_on = answer.value
    && ["running", "queued"].includes(answer.value.state);
  useEffect(() => {
    if (!live.over || !may_go_on) return;
    const timer = setTimeout(() => { ask(0); follow(0); }, 2000);
    return () => clearTimeout(timer);
  }, [live.over, may_go_on, followed]);
  return (
    <Answer of={answer}>{(run) => <>
      <h1>{run.id}</h1>
      <Facts rows={[
        ["state", run.state + (run.reason ? `: ${run.reason}` : "")],
        ["iteration", `${run.iteration} of ${run.iterations ?? "–"}`],
        ["started", `${time(run.started_ms)} UTC`],
        ["took", duration(run.seconds)], ["seed", run.seed ?? "–"],
        ...(run.learner ? [["learner", learnerName(run.learner)] as
          [string, string]] : []),
        ["cost", run.cost_usd > 0 ? money(run.cost_usd) : "–"],
        ["score", percent(run.score)],
        ...(run.problem ? [["problem", run.problem] as [string, string]] : []),
      ]} />
      <p><a href={`#/${path("runs", id, "rollouts")}`}>All rollouts</a>{" · "}
        <a href={`#/${path("runs", id, "kb")}`}>Knowledge base</a></p>
      <LivePanel run={run} live={live} />
      <h2>Final evaluation</h2>
      <Arms run={run} />
      {!run.learner || run.learner === "brew" ? <>
        <h2>Best so far</h2>
        {run.progress.length || live.points.length
          ? <><BestSoFar points={live.whole ? live.points : run.progress} />
            <p class="quiet">The mean over all concepts, also those whose best
              version is empty.</p></>
          : <p class="quiet">No iteration has ended yet.</p>}
        <h2>Concepts</h2>
        <Concepts run={id} again={asked} /></>
        : <><h2>Memory</h2>
          <Memory key={asked} run={id} learner={run.learner} /></>}
    </>}</Answer>);
}
