// A published document, each line with what it rests on.
import { path, useList, type Line } from "./api";
import { Answer, counted, More, number, short } from "./parts";

/// How many a line has that no page would hold.
function MoreInsights({ of }: { of: Line }) {
  const more = (of.insights_total ?? 0) - (of.insights?.length ?? 0);
  return more > 0 ? <p class="quiet">{counted(more, "more insight")}: `brewery kb
    show --provenance` prints all of them.</p> : null;
}

export function LineList({ run, lines }: { run: string; lines: Line[] }) {
  return <>{lines.map((line) => <div class="step">
    <p class="line">{line.text || "\u00a0"}</p>
    {line.insights && <details>
      <summary>{counted(line.insights_total ?? line.insights.length,
                        "insight")}</summary>
      {line.insights.map((insight) => <>
        <p>{insight.count} × {insight.sentence}</p>
        <ul>{insight.rollouts.map((rollout) => <li>
          <a href={`#/${path("runs", run, "rollouts", rollout.job)}`}>
            {rollout.task} {short(rollout.job)}</a>
          {rollout.grade && ` reward ${number(rollout.grade.reward)}`}
        </li>)}
          {insight.count > insight.rollouts.length && <li class="quiet">
            {insight.count - insight.rollouts.length} more rollouts</li>}</ul>
      </>)}
      <MoreInsights of={line} />
    </details>}
  </div>)}</>;
}

export function Lines({ run, strategy, concept }:
    { run: string; strategy: string; concept: string }) {
  const { head, error, more } = useList<Line, { title: string }>(
    `${path("runs", run, "provenance", concept)}?strategy=${
      encodeURIComponent(strategy)}`);
  return (
    <Answer of={{ value: head, error }}>{(all) => <>
      <h1>{all.title}: evidence</h1>
      <p class="quiet">{strategy}, concept {concept}.{" "}
        <a href={`#/${path("runs", run, "trees", strategy, concept)}`}>
          Its tree</a></p>
      <LineList run={run} lines={all.items} />
      <More shown={all.items.length} total={all.total} what="lines"
            more={more} />
    </>}</Answer>);
}
