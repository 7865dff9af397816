// The tree of a concept, and the version that is looked at.
import { hierarchy, tree as layout, type HierarchyPointNode }
  from "d3-hierarchy";
import { useMemo, useState } from "preact/hooks";
import { get, getAll, path, useAsked, type Document, type Node, type Tree }
  from "./api";
import { Diff } from "./diff";
import { Answer, bucket, counted, Facts, number, short } from "./parts";
import { Played, signed } from "./version";

interface Branch { node: Node; children: Branch[] }
type Point = HierarchyPointNode<Branch>;

function branches(nodes: Node[]): Branch | undefined {
  const all = new Map(nodes.map((node) =>
    [node.id, { node, children: [] } as Branch]));
  for (const node of nodes)
    if (node.parent !== node.id)
      all.get(node.parent)?.children.push(all.get(node.id)!);
  return all.get(0);
}

const radius = (node: Node) => 5 + Math.min(7, 2 * Math.log2(1 + node.visits));
const said = (node: Node) =>
  `version ${node.id}, reward ${number(node.reward)}, ${node.visits} visits`
  + (node.note ? `, ${node.note}` : "");
const kind = (node: Node) =>
  [node.best && "best", node.refused && "refused",
   node.reward_least !== undefined && "stopped"].filter(Boolean).join(" ");

/// Where an arrow leads: up and down within a column, left to the parent, right
/// to the first child.
function neighbour(points: Point[], from: Point, key: string) {
  const column = points.filter((one) => one.depth === from.depth)
    .sort((a, b) => a.x - b.x);
  const at = column.indexOf(from);
  switch (key) {
  case "ArrowUp": return column[at - 1];
  case "ArrowDown": return column[at + 1];
  case "ArrowLeft": return from.parent;
  case "ArrowRight": return from.children?.[0];
  default: return undefined;
  }
}

function placed(nodes: Node[]) {
  const root = branches(nodes);
  if (!root) return undefined;
  const laid = layout<Branch>().nodeSize([30, 130])(hierarchy(root));
  const points = laid.descendants();
  let [top, bottom, right] = [0, 0, 0];
  for (const { x, y } of points) {
    top = Math.min(top, x);
    bottom = Math.max(bottom, x);
    right = Math.max(right, y);
  }
  return { laid, points, top: top - 24, bottom: bottom + 24,
           right: right + 130 };
}

function Drawing({ nodes, at, link }:
    { nodes: Node[]; at: number; link: (id: number) => string }) {
  const [zoom, setZoom] = useState(1);
  // Not again for each version that is looked at: a tree may have thousands.
  const drawn = useMemo(() => placed(nodes), [nodes]);
  if (!drawn) return null;
  const { laid, points, top, bottom, right } = drawn;
  const move = (event: KeyboardEvent, from: Point) => {
    const to = neighbour(points, from, event.key);
    if (!to) return;
    event.preventDefault();
    document.getElementById(`version-${to.data.node.id}`)?.focus();
  };
  return <>
    <p class="zoom">
      <button aria-label="Smaller" disabled={zoom < .3}
              onClick={() => setZoom(zoom / 1.4)}>−</button>
      <button aria-label="Larger" disabled={zoom > 3}
              onClick={() => setZoom(zoom * 1.4)}>+</button></p>
    <div class="tree">
      <svg width={right * zoom} height={(bottom - top) * zoom}
           viewBox={`-20 ${top} ${right} ${bottom - top}`}>
        {laid.links().map(({ source, target }) =>
          <path d={`M${source.y},${source.x}C${source.y + 60},${source.x} ${
            target.y - 60},${target.x} ${target.y},${target.x}`} />)}
        {points.map((point) => {
          const { node } = point.data;
          return (
            <a id={`version-${node.id}`} href={link(node.id)}
               class={kind(node)} aria-label={said(node)}
               aria-current={node.id === at ? "true" : undefined}
               tabIndex={node.id === at ? 0 : -1}
               onKeyDown={(event) => move(event, point)}>
              <circle cx={point.y} cy={point.x} r={radius(node)}
                      class={bucket(node.reward)} />
              <text x={point.y + radius(node) + 4} y={point.x + 4}>
                {node.id} · {node.reward.toFixed(2)}{node.best ? " ★" : ""}
                {node.refused ? " ✕" : ""}
              </text>
            </a>);
        })}
      </svg>
    </div>
  </>;
}

function Key() {
  return (
    <p class="quiet">Reward 0 <span class="scale">
      <svg viewBox="0 0 100 10" aria-hidden="true">{[...Array(10).keys()].map(
        (i) => <rect class={`r${i}`} x={10 * i} y={0} width={10}
                     height={10} />)}</svg></span> 1. The larger, the more
      visits. ★ best, ✕ refused by fresh trials, dashed: its evaluation was
      stopped. Arrow keys move, Enter shows a version.</p>);
}

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
  const delta = node.reward - parent.reward;
  return (
    <section class="panel" aria-label={`Version ${node.id}`}>
      <h2>Version {node.id}{node.note ? `: ${node.note}` : ""}</h2>
      <Facts rows={[
        ["reward", `${number(node.reward)}${node.id === parent.id ? ""
          : ` (${signed(delta)} to parent)`}`],
        ["correctness", number(node.correctness)],
        ["retrieval", number(node.retrieval)],
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
          <a href={`#/${path("runs", run, "lines", strategy, concept)}`}>
            Evidence of the published document</a></p>
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
