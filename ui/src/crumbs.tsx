// Where a page is: the links at its top.
import { path } from "./api";
import { exported } from "./exported";

export function Crumbs({ parts }: { parts: string[] }) {
  const [kind, id, what] = parts;
  const sweep = kind === "sweeps" ? id
    : kind === "runs" && id?.includes("/") ? id.split("/")[0] : undefined;
  return (
    <header><nav aria-label="Where this is">
      {!exported && <a href="#/">Runs</a>}
      {sweep && <>/ <a href={`#/${path("sweeps", sweep)}`}>{sweep}</a></>}
      {kind === "runs" && id && <>{!exported && "/ "}<a href={`#/${path("runs", id)}`}>
        {sweep ? id.slice(sweep.length + 1) : id}</a></>}
      {kind === "runs" && (what === "rollouts" || what === "kb") && <>/
        {" "}<a href={`#/${path("runs", id, what)}`}>{what === "kb"
          ? "knowledge base" : what}</a></>}
      {exported && !kind && <span>{exported.run}</span>}
      {kind === "compare" && <>/ <span>compare</span></>}
    </nav>
      {exported && <p class="quiet">As of {exported.made} UTC, by Brewery
        {" "}{exported.version}; {exported.with_steps} of {exported.rollouts}
        {" "}rollouts with their steps.</p>}
    </header>);
}
