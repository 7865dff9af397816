// The published documents of a run, what a query finds among them, and what each
// line of a document rests on.
import { path, useList, type Line } from "./api";
import { exported } from "./exported";
import { LineList } from "./lines";
import { Answer, counted, More, number, short } from "./parts";

interface Entry {
  concept: number; title: string; hash: string; bytes: number;
  iteration?: number; reward?: number; rollouts?: number; insights?: number;
  rank?: number; score?: number; lines?: { line: number; text: string }[];
}
interface Head {
  strategy: string; strategies: string[]; documents: number; kind: string;
  learner: string;
  query?: string; warnings: string[];
}

function Found({ entry, link, here }:
    { entry: Entry; link: string; here: boolean }) {
  return (
    <li class={here ? "here" : ""}>
      <a href={link} aria-current={here ? "true" : undefined}>
        {entry.concept} {entry.title}</a>
      <p class="quiet">
        {entry.score !== undefined
          && `rank ${entry.rank}, score ${number(entry.score)}; `}
        {entry.rollouts ? `reward ${number(entry.reward)} over ${
          counted(entry.rollouts, "rollout")}, ` : ""}
        {entry.insights ? `${counted(entry.insights, "insight")}, ` : ""}
        {entry.bytes} bytes</p>
      {entry.lines?.map((one) =>
        <p class="found"><span class="quiet">{one.line}</span> {one.text}</p>)}
    </li>);
}

function Reader({ run, strategy, concept, has_tree }:
    { run: string; strategy: string; concept: string; has_tree: boolean }) {
  const { head, error, more } = useList<Line, { title: string; hash: string }>(
    `${path("runs", run, "provenance", concept)}?strategy=${
      encodeURIComponent(strategy)}`);
  return (
    <section class="panel" aria-label="Document">
      <Answer of={{ value: head, error }}>{(all) => <>
        <h2>{all.title}</h2>
        <p class="quiet">Document {short(all.hash)}.{" "}
          {has_tree && <a href={`#/${path("runs", run, "trees", strategy,
                                          concept)}`}>Its tree</a>}</p>
        <LineList run={run} lines={all.items} />
        <More shown={all.items.length} total={all.total} what="lines"
              more={more} />
      </>}</Answer>
    </section>);
}

export function KnowledgeBase({ run, strategy, query, concept }:
    { run: string; strategy: string; query: string; concept?: string }) {
  const where = path("runs", run, "kb");
  const asked = new URLSearchParams();
  if (strategy) asked.set("strategy", strategy);
  if (query) asked.set("query", query);
  const { head, error, more } = useList<Entry, Head>(
    asked.size ? `${where}?${asked}` : where);
  const tail = asked.size ? `?${asked}` : "";
  return (
    <Answer of={{ value: head, error }}>{(all) => {
      const chosen = concept
        ?? (all.items.length ? String(all.items[0].concept) : undefined);
      return <>
        <h1>Knowledge base</h1>
        {exported && <p class="quiet">A folder has no search: `brewery kb search`
          and `brewery ui` have.</p>}
        <form class="bar" role="search" onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const next = new URLSearchParams();
          for (const name of ["strategy", "query"])
            if (data.get(name)) next.set(name, String(data.get(name)));
          location.hash = `#/${where}${next.size ? `?${next}` : ""}`;
        }}>
          {!exported && <label class="long">Query<input name="query"
            type="search" defaultValue={query} /></label>}
          {all.strategies.length > 1 && <label>Search
            <select name="strategy" value={all.strategy}>
              {all.strategies.map((one) => <option>{one}</option>)}
            </select></label>}
          <button>{exported ? "Show" : "Find"}</button>
        </form>
        {all.query && all.kind !== "bm25" && <p class="bad">The run retrieves by
          {" "}{all.kind}, which needs its model. Here words are searched (BM25);
          `brewery kb search` ranks as the run does.</p>}
        {all.warnings.map((one) => <p class="bad">{one}</p>)}
        <p class="quiet">{all.query
          ? `${all.total} of ${counted(all.documents, "document")} of ${
            all.strategy} have words of the query.`
          : `${counted(all.documents, "document")} of ${all.strategy}.`}</p>
        <div class="sides">
          <div>
            <ol class="documents">{all.items.map((entry) =>
              <Found entry={entry} here={String(entry.concept) === chosen}
                link={`#/${path("runs", run, "kb", entry.concept)}${tail}`} />)}
            </ol>
            <More shown={all.items.length} total={all.total} what="documents"
                  more={more} />
          </div>
          {chosen !== undefined && <Reader run={run} strategy={all.strategy}
            concept={chosen} has_tree={all.learner === "brew"} />}
        </div>
      </>;
    }}</Answer>);
}
