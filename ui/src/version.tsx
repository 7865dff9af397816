// What a version was played for: tasks beside its parent, and what it took.
import { path, useList } from "./api";
import { Answer, counted, duration, Facts, More, number, Table } from "./parts";
import { money } from "./rounding";

interface Models {
  calls: number; prompt_tokens: number; completion_tokens: number;
  cost_usd: number;
}
interface Spent {
  score: number; learn: number; reused: number; seconds: number;
  confirm?: number; // not of an older coordinator
  models: Models;
}
interface Played {
  rollouts: number; graded: number; reward?: number; jobs: string[];
}
interface Pair { task: string; here: Played; parent?: Played; change?: number }
interface Head {
  parent?: number; recorded: boolean; asks_models: boolean;
  own: Spent; below: Spent;
}

const spent = ({ confirm = 0, ...one }: Spent) =>
  `${counted(one.score + one.learn + confirm, "rollout")}: ${
    one.score} to score, ${one.learn} to learn from, ${
    confirm} to confirm; ${one.reused} of them reused; ${
    duration(one.seconds)}`;

const asked = ({ calls, prompt_tokens, completion_tokens, cost_usd }: Models) =>
  `${counted(calls, "call")}: ${prompt_tokens.toLocaleString("en")} tokens in, ${
    completion_tokens.toLocaleString("en")} out; ${
    cost_usd > 0 && cost_usd < .01 ? "less than $0.01"
      : money(cost_usd)}`;

export const signed = (value: number) =>
  `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;

/// A mean reward, with a way to the rollouts behind it.
function Cell({ run, of, whose }: { run: string; of?: Played; whose: string }) {
  if (!of?.rollouts) return <td class="number quiet">–</td>;
  return <td class="number jobs">
    {number(of.reward)}{" "}
    {of.jobs.map((job, i) => <><a href={`#/${path("runs", run, "rollouts", job)}`}
      aria-label={`${whose}, rollout ${i + 1}`}>{i + 1}</a>{" "}</>)}
    {of.rollouts > of.jobs.length && `of ${of.rollouts}`}</td>;
}

export function Played({ run, tree, version, rollouts }:
    { run: string; version: number; rollouts: number;
      tree: { strategy: string; concept: number } }) {
  const { head, error, more } = useList<Pair, Head>(
    path("runs", run, "trees", tree.strategy, tree.concept, version), 25);
  return (
    <Answer of={{ value: head, error }}>{(all) => {
      if (!all.recorded)
        return <p class="quiet">What rollouts were for is not recorded: an older
          release played the run, or no iteration has ended.</p>;
      const first = all.parent === undefined;
      const changed = all.items.filter((one) => one.change);
      return <>
        <h2>Task by task</h2>
        {all.own.score < rollouts && <p class="quiet">The log names
          {" "}{all.own.score} of the {counted(rollouts, "rollout")} that scored
          it.</p>}
        {!all.total ? <p class="quiet">No rollout of it, or of its parent, is on
          record.</p> : <>
          {!first && <p class="quiet">
            {changed.filter((one) => one.change! > 0).length} better and
            {" "}{changed.filter((one) => one.change! < 0).length} worse than
            version {all.parent}
            {all.items.length < all.total && `, of the ${all.items.length} shown`
            }. Numbers lead to rollouts.</p>}
          <Table label="Tasks of the version" head={<>
            <th scope="col">task</th>
            {!first && <th class="number" scope="col">change</th>}
            <th class="number" scope="col">here</th>
            {!first && <th class="number" scope="col">parent</th>}</>}>
            {all.items.map((one) => <tr>
              <td class="title">{one.task}</td>
              {!first && <td class={`number ${!one.change ? ""
                : one.change > 0 ? "good" : "bad"}`}>
                {one.change ? signed(one.change) : number(one.change)}</td>}
              <Cell run={run} of={one.here} whose={`${one.task}, here`} />
              {!first && <Cell run={run} of={one.parent}
                               whose={`${one.task}, parent`} />}
            </tr>)}
          </Table>
          <More shown={all.items.length} total={all.total} what="tasks"
                more={more} /></>}
        <h2>What it took</h2>
        <Facts rows={[["this version", spent(all.own)],
                      ["with all below it", spent(all.below)]]} />
        <p class="quiet">Reused ones were not played.</p>
        {all.asks_models && <>
          <h2>Models</h2>
          <Facts rows={[["this version", asked(all.own.models)],
                        ["with all below it", asked(all.below.models)]]} />
          <p class="quiet">Answered calls of these rollouts and of what wrote the
            text, at the prices of that time.</p></>}
      </>;
    }}</Answer>);
}
