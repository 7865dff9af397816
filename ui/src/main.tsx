// The page of `brewery ui`: which view an address has.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Compare } from "./compare";
import { Crumbs } from "./crumbs";
import { exported } from "./exported";
import { KnowledgeBase } from "./kb";
import { Lines } from "./lines";
import { RolloutPage, Rollouts } from "./rollouts";
import { RunPage } from "./run";
import { Runs } from "./runs";
import { SweepView } from "./sweep";
import { TreePage } from "./tree";

function decoded(part: string) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function View({ parts, query }: { parts: string[]; query: URLSearchParams }) {
  const [, run, kind, a, b, c] = parts;
  if (!parts[0]) return exported ? <RunPage id={exported.run} /> : <Runs />;
  if (parts[0] === "compare")
    return <Compare runs={query.get("runs") ?? ""}
                    arm={query.get("arm") ?? ""} />;
  if (parts[0] === "sweeps" && run && !kind) return <SweepView id={run} />;
  if (run && kind === "kb")
    return <KnowledgeBase run={run} strategy={query.get("strategy") ?? ""}
                          query={query.get("query") ?? ""} concept={a} />;
  if (parts[0] === "runs" && run && !kind) return <RunPage id={run} />;
  if (run && kind === "trees" && a && b)
    return <TreePage run={run} strategy={a} concept={b} version={c} />;
  if (run && kind === "lines" && a && b)
    return <Lines run={run} strategy={a} concept={b} />;
  if (run && kind === "rollouts" && a)
    return <RolloutPage key={a} run={run} job={a} step={b} />;
  if (run && kind === "rollouts")
    return <Rollouts run={run} wanted={{
      task: query.get("task") ?? "", arm: query.get("arm") ?? "",
      grade: query.get("grade") ?? "", seconds: query.get("seconds") ?? "",
      text: query.get("text") ?? "" }} />;
  return <><h1>Nothing to show</h1>
    <p role="alert" class="bad">There is no such page.</p></>;
}

function Page() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const [way, query] = hash.replace(/^#\/?/, "").split("?");
  const parts = way.split("/").map(decoded);
  useEffect(() => {
    document.title = parts[1] ? `${parts.slice(1).join(" ")} – Brewery`
                              : "Brewery";
  }, [hash]);
  return <>
    <Crumbs parts={parts} />
    <main><View parts={parts} query={new URLSearchParams(query)} /></main>
  </>;
}

render(<Page />, document.getElementById("page")!);
