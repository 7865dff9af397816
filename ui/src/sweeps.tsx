// The sweeps among the runs.
import { path, useList } from "./api";
import { More, Table } from "./parts";
import { money } from "./rounding";
import type { SweepRow } from "./sweep_api";

/// A sweep's file says less of a run than the run itself: these are the states
/// there of runs that may be in the state that is chosen.
const states_of_sweep: Record<string, string[]> = {
  running: ["begun"], interrupted: ["begun"], queued: ["waiting"],
  cancelled: ["begun", "waiting", "cut"], held: ["begun", "cut"],
};

/// Those that have the word in their name and may have a run in the state.
export function Sweeps({ word, state }: { word: string; state: string }) {
  const { head, error, more } = useList<SweepRow>("sweeps", 200);
  if (error) return <p role="alert" class="bad">{error}</p>;
  if (!head?.total) return null;
  const rows = head.items.filter((one) =>
    one.id.toLowerCase().includes(word.toLowerCase())
    && (!state || [state, ...states_of_sweep[state] ?? []].some(
      (each) => (one.states?.[each] ?? 0) > 0)));
  return <>
    <h2>Sweeps</h2>
    <Table label="Sweeps" head={<>
      <th scope="col">sweep</th><th class="number" scope="col">points</th>
      <th class="number" scope="col">runs</th><th scope="col">states</th>
      <th class="number" scope="col">cost</th></>}>
      {rows.map((one) => <tr key={one.id}>
        <td><a href={`#/${path("sweeps", one.id)}`}>{one.id}</a></td>
        {one.problem ? <td colSpan={4} class="bad">{one.problem}</td> : <>
          <td class="number">{one.points}</td>
          <td class="number">{one.runs}</td>
          <td>{Object.entries(one.states)
            .map(([name, runs]) => `${runs} ${name}`).join(", ")}</td>
          <td class="number">{one.cost_usd > 0
            ? money(one.cost_usd) : "–"}</td></>}
      </tr>)}
    </Table>
    <More shown={head.items.length} total={head.total} what="sweeps"
          more={more} />
    <h2>Runs</h2>
  </>;
}
