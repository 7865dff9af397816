// The tree of a concept, and the version that is looked at.
import { get, getAll, path, useAsked, type Document, type Node, type Tree }
  from "./api";
import { Diff } from "./diff";
import { Drawing, Key } from "./drawing";
import { Answer, counted, Facts, number, rewardText, short } from "./parts";
import { Played, signed } from "./version";

function Panel({ run, tree, node, nodes }:
    { run: string; tree: Tree; node: Node; nodes: Node[] }) {
  const parent = nodes.find((one) => one.id === node.parent)!;
  const where = path("runs", run, "documents", node.document);
  const text = useAsked(where, () => get<Document>(where));
  const change = `${where}/diff/${parent.document}`;
  const diff = useAsked(change, () => get<{ diff: string }>(change));
  const link = (id: number) => `#/${path("runs", run, "trees", tree.strategy,
                                         tree.concept, id)}`;
  const children = nodes.filter((one) =>
    one.parent === node.id && one.id !== node.id);
  const stopped = node.reward_least !== undefined;
  // The difference of what is not known to the end would be none.
  const toParent = node.id === parent.id || stopped
    || parent.reward_least !== undefined ? ""
    : ` (${signed(node.reward - parent.reward)} to parent)`;
  const atMost = (part: number) => `${stopped ? "at most " : ""}${number(part)}`;
  return (
    <section class="panel" aria-label={`Version ${node.id}`}>
      <h2>Version {node.id}{node.note ? `: ${node.note}` : ""}</h2>
      <Facts rows={[
        ["reward", `${rewardText(node)}${toParent}`],
        ["correctness", atMost(node.correctness)],
        ["retrieval", atMost(node.retrieval)],
        ["value", number(node.value)], ["visits", node.visits],
        ["rollouts", node.rollouts], ["iteration", node.iteration],
        ["document", short(node.document)],
        ["parent", node.id === parent.id ? "none"
          : <a href={link(parent.id)}>version {parent.id}</a>],
        ["children", children.length ? children.map((one) =>
          <><a href={link(one.id)}>{one.id}</a> </>) : "none"],
      ]} />
      <Played key={node.id} run={run} tree={tree} version={node.id}
              rollouts={node.rollouts} />
      {node.id !== parent.id && <>
        <h2>Change from version {parent.id}</h2>
        <Answer of={diff}>{(value) => value.diff ? <Diff text={value.diff} />
          : <p class="quiet">No difference.</p>}</Answer>
      </>}
      <h2>Text</h2>
      <Answer of={text}>{(value) => value.text ? <pre>{value.text}</pre>
        : <p class="quiet">Empty: the search began from nothing.</p>}</Answer>
    </section>);
}

export function TreePage({ run, strategy, concept, version }:
    { run: string; strategy: string; concept: string; version?: string }) {
  const where = path("runs", run, "trees", strategy, concept);
  const asked = useAsked(where, () => getAll<Node, Tree>(where));
  return (
    <Answer of={asked}>{(tree) => {
      const wanted = version === undefined ? tree.best?.id ?? 0
                                           : Number(version);
      const node = tree.items.find((one) => one.id === wanted);
      return <>
        <h1>{tree.title}</h1>
        <p class="quiet">{strategy}, concept {tree.concept}:
          {" "}{counted(tree.versions, "version")} after iteration
          {" "}{tree.iteration}, {counted(tree.dropped, "candidate")} equal to
          one of them and left out; {tree.train_tasks} train and
          {" "}{tree.eval_tasks} eval tasks.{" "}
          {tree.best?.empty
            ? "The best version is empty, and not published."
            : <a href={`#/${path("runs", run, "lines", strategy, concept)}`}>
              Evidence of the published document</a>}</p>
        {!tree.whole && <p class="bad">The tree, or its beginning, is not
          recorded: an older release played it, or no iteration has ended.</p>}
        {tree.whole && <div class="sides">
          <div>
            <Drawing nodes={tree.items} at={node?.id ?? 0} link={(id) =>
              `#/${path("runs", run, "trees", strategy, concept, id)}`} />
            <Key />
          </div>
          {node ? <Panel run={run} tree={tree} node={node}
                         nodes={tree.items} />
            : <p role="alert" class="bad">The tree has no version
              {" "}{version}.</p>}
        </div>}
      </>;
    }}</Answer>);
}
