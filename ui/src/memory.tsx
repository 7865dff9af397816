// What a learner without trees has learned: its documents.
import { path, useList } from "./api";
import { Answer, More, Table } from "./parts";

interface Entry { concept: number; title: string; bytes: number }

const names: Record<string, string> = {
  brew: "BREW", agent_kb: "Agent KB", muse: "MUSE",
  agent_kb_oracle: "Agent KB, told the grades" };
export const learnerName = (learner: string) => names[learner] ?? learner;

export function Memory({ run, learner }: { run: string; learner: string }) {
  const where = path("runs", run, "kb");
  const { head, error, more } = useList<Entry>(where);
  return <>
    <p class="quiet">{learnerName(learner)} keeps a memory and searches no tree:
      its documents are what attempts read.</p>
    {error ? <p class="quiet">No memory is published yet.</p>
      : <Answer of={{ value: head }}>{(all) => !all.total
        ? <p class="quiet">The memory is empty.</p> : <>
        <Table label="Memory" head={<>
          <th scope="col">document</th>
          <th class="number" scope="col">bytes</th></>}>
          {all.items.map((one) => <tr>
            <td class="title"><a href={`#/${where}/${one.concept}`}>
              {one.title}</a></td>
            <td class="number">{one.bytes}</td></tr>)}
        </Table>
        <More shown={all.items.length} total={all.total} what="documents"
              more={more} /></>}</Answer>}
  </>;
}
