// Lists of rollouts, and one of them step by step.
import { useEffect, useState } from "preact/hooks";
import { path, useList, type Large, type Listed, type Query, type Rollout,
         type Step } from "./api";
import { exported } from "./exported";
import { Answer, counted, duration, Facts, More, number, short, Table } from "./parts";
import { fixed } from "./rounding";

const result = (one: Listed) =>
  one.outcome !== "graded" ? `no grade: ${one.outcome}` : number(one.reward);

/// Which of them; "" is any.
const filters = ["task", "arm", "grade", "seconds", "text"] as const;
type Filter = Record<typeof filters[number], string>;

export function Rollouts({ run, wanted }: { run: string; wanted: Filter }) {
  const query = new URLSearchParams(
    filters.filter((name) => wanted[name]).map((name) => [name, wanted[name]]));
  const where = path("runs", run, "rollouts");
  const { head, error, more } = useList<Listed,
    { arms: string[]; searched?: number; chosen?: number }>(
    query.size ? `${where}?${query}` : where);
  const go = (data: FormData) => {
    const next = new URLSearchParams([...data.entries()]
      .map(([name, value]) => [name, String(value)])
      .filter(([, value]) => value));
    location.hash = `#/${where}${next.size ? `?${next}` : ""}`;
  };
  return (
    <Answer of={{ value: head, error }}>{(all) => <>
      <h1>Rollouts</h1>
      <form class="bar" onSubmit={(event) => {
        event.preventDefault();
        go(new FormData(event.currentTarget));
      }}>
        <label>Task<input name="task" type="search" defaultValue={wanted.task} />
        </label>
        <label>Text in steps and queries<input name="text" type="search"
          defaultValue={wanted.text} /></label>
        <label>Took at least, s<input name="seconds" type="number" min="0" step="any"
          defaultValue={wanted.seconds} /></label>
        <label>Under<select name="arm" value={wanted.arm}>
          <option value="">all</option><option value="search">search</option>
          {all.arms.map((one) => <option>{one}</option>)}
        </select></label>
        <label>Grade<select name="grade" value={wanted.grade}>
          <option value="">any</option>
          <option value="full">1: solved</option>
          <option value="less">below 1</option>
          <option value="none">no grade</option>
        </select></label>
        <button>Show</button>
      </form>
      {all.searched !== undefined && all.searched < all.chosen!
        && <p class="quiet">The text was looked for in the newest {all.searched}
          {" "}of {all.chosen}; choose a task or a grade to look at others.</p>}
      <Table label="Rollouts" head={<>
        <th scope="col">rollout</th><th scope="col">task</th>
        <th class="number" scope="col">trial</th><th scope="col">under</th>
        <th class="number" scope="col">grade</th>
        <th class="number" scope="col">took</th></>}>
        {all.items.map((one) => <tr key={one.id}>
          <td><a href={`#/${path("runs", run, "rollouts", one.id)}`}>
            {short(one.id)}</a>
            {one.left_out && <span class="quiet"> without steps</span>}</td>
          <td>{one.task}</td><td class="number">{one.trial + 1}</td>
          <td>{one.arms.join("; ") || "search"}</td>
          <td class="number">{result(one)}</td>
          <td class="number">{one.reused_from ? "reused"
            : duration(one.seconds)}</td>
        </tr>)}
      </Table>
      <More shown={all.items.length} total={all.total} what="rollouts"
            more={more} />
    </>}</Answer>);
}

/// What the rollout was for, with a way there.
function Purposes({ run, of }: { run: string; of: Rollout }) {
  if (!of.for.length)
    return <>{!of.for_recorded ? "not recorded"
              : "to learn from, or of an iteration that has not ended"}</>;
  return <>{of.for.map((one, i) => <>{i > 0 && "; "}
    {one.what === "arm" ? `the final evaluation, ${one.name}`
     : one.what === "first" ? `${one.name}: first rollouts, before any document`
     : <>{one.name}, iteration {one.iteration}: {one.what === "learn"
         ? "to learn from " : one.what === "confirm" ? "to confirm "
         : "to score "}
         <a href={`#/${one.version === undefined
           ? path("runs", run, "trees", one.name, one.concept!)
           : path("runs", run, "trees", one.name, one.concept!, one.version)}`}>
           {one.title} {one.version === undefined ? short(one.document ?? "")
             : `version ${one.version}`}</a></>}</>)}</>;
}

type Done = Step | Query | Large;

function StepView({ run, job, item, here }:
    { run: string; job: string; item: Done; here: boolean }) {
  if ("too_large" in item)
    return <div class="step">A step of {item.too_large} bytes, too large to
      show: `brewery rollout show` prints it.</div>;
  if ("query" in item)
    return (
      <div class="step">
        <h3>reads {counted(item.documents.length, "document")} for: {item.query}</h3>
        <ul>{item.documents.map((one) =>
          <li>{one.strategy === undefined ? short(one.hash)
            : <a href={`#/${path("runs", run, "trees", one.strategy,
                                 one.concept!)}`}>
              {one.title} {short(one.hash)}</a>}</li>)}</ul>
      </div>);
  return (
    <div class={`step${item.failed ? " failed" : ""}${here ? " here" : ""}`}
         id={`step-${item.step}`}>
      <h3><a href={`#/${path("runs", run, "rollouts", job, item.step)}`}
             aria-label={`Step ${item.step}`}
             aria-current={here ? "true" : undefined}>{item.step}</a>
        {" "}{item.requestor === "user" ? "user: " : ""}{item.tool}
        {item.arguments && item.arguments !== "{}" ? ` ${item.arguments}` : ""}
        {item.failed && <span class="bad"> failed</span>}</h3>
      {item.reason && <p class="quiet">{item.reason}</p>}
      {item.screenshot && <img class="screen" loading="lazy"
        src={exported ? `screenshots/${item.screenshot}.png`
          : `/api/${path("runs", run, "screenshots", item.screenshot)}`}
        alt={`The screen after step ${item.step}`}
        onError={(event) => event.currentTarget.remove()} />}
      {item.observation && <pre>{item.observation}</pre>}
    </div>);
}

export function RolloutPage({ run, job, step }:
    { run: string; job: string; step?: string }) {
  const [start, setStart] = useState(step);
  const [wanted, setWanted] = useState("");
  const where = path("runs", run, "rollouts", job);
  const { head, error, more, earlier } = useList<Done, Rollout>(
    wanted ? `${where}?${wanted}` : where, 100,
    start && !wanted ? `step=${encodeURIComponent(start)}` : "");
  useEffect(() => {
    if (!head || !step || wanted) return;
    const shown = document.getElementById(`step-${step}`);
    if (shown) shown.scrollIntoView({ block: "center" });
    else if (step !== start) setStart(step);
  }, [head?.id, step, start, wanted]);
  // A step that was found leads to its place among all.
  useEffect(() => setWanted(""), [step]);
  return (
    <Answer of={{ value: head, error }}>{(one) => <>
      <h1>{one.task}, trial {one.trial + 1}</h1>
      <Facts rows={[
        ["grade", <span class={one.reward >= 1 ? "good" : "bad"}>
          {result(one)}</span>],
        ["under", one.arms.join("; ") || "search"],
        ["was for", <Purposes run={run} of={one} />],
        ["rollout", one.id], ["took", duration(one.seconds)],
        ...(one.reused_from ? [["reused", `not played: ${short(one.reused_from)}${
          one.reused_run ? ` of the run ${one.reused_run}` : ""
          } stands for it, whose agent read the same`] as [string, string]] : []),
        ...(one.error ? [["error", one.error] as [string, string]] : []),
      ]} />
      {one.checks.length > 0 && <>
        <h2>Checks</h2>
        <ul>{one.checks.map((check) =>
          <li class={check.met ? "good" : "bad"}>
            {check.met ? "met" : "not met"}: {check.name}</li>)}</ul>
        {one.checks_total > one.checks.length && <p class="quiet">
          {one.checks.length} of {one.checks_total} checks</p>}
      </>}
      <h2>Steps</h2>
      {one.left_out && one.done > 0 && <p class="quiet">What the agent did,
        {" "}{counted(one.done, "step")} and queries, was left out of the folder
        for its size (--max-mb).</p>}
      {one.done > 0 && !one.left_out && <form class="bar" role="search" onSubmit={(event) => {
        event.preventDefault();
        setWanted(new URLSearchParams([...new FormData(event.currentTarget)]
          .map(([name, value]) => [name, String(value)])
          .filter(([, value]) => value)).toString());
      }}>
        <label class="long">Text in steps and queries
          <input name="text" type="search" defaultValue={
            new URLSearchParams(wanted).get("text") ?? ""} /></label>
        <label>Which<select name="failed" value={
          new URLSearchParams(wanted).get("failed") ?? ""}><option value="">all</option>
          <option value="1">that failed</option></select></label>
        <button>Find</button>
        <span class="quiet" role="status">{wanted
          && `${one.total} of ${one.done} have it.`}</span>
      </form>}
      {!one.done && <p class="quiet">The agent did nothing.</p>}
      {one.offset > 0 && <p><button onClick={earlier}>Show earlier</button></p>}
      {one.items.map((item) => <StepView run={run} job={job} item={item}
        here={"step" in item && String(item.step) === step} />)}
      {!one.left_out && <More shown={one.items.length} total={one.total}
        from={one.offset} what="steps and queries" more={more} />}
      {one.insights.length > 0 && <>
        <h2>Insights</h2>
        <ul>{one.insights.map((insight) => <li>{insight.sentence}
          <span class="quiet"> {insight.topic}</span></li>)}</ul>
        {one.insights_total > one.insights.length && <p class="quiet">
          {one.insights.length} of {one.insights_total} insights</p>}
      </>}
      {one.ratings.map((rating) => <p>{rating.rubric}:
        {" "}{fixed(rating.score, 2)} {rating.reason}</p>)}
      {one.notes.map((note) => <p class="quiet">{note}</p>)}
    </>}</Answer>);
}
