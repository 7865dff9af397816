// The drawing of a tree: zoom, arrow keys, and what is folded of a large one.
import { hierarchy, tree as layout, type HierarchyPointNode }
  from "d3-hierarchy";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Node } from "./api";
import { bucket, least, number, rewardText } from "./parts";
import { fixed } from "./rounding";

/// `below`: how many versions, and the highest reward among them.
interface Branch {
  node: Node; parent?: Branch; children: Branch[]; below: number; best: number;
}
type Point = HierarchyPointNode<Branch>;
type Unfolded = ReadonlySet<number>;

/// So many versions of a tree are drawn at first; the others are folded.
const drawn_first = 60;
/// A tree of at most that many has nothing folded.
const drawn_whole = 1000;

function branches(nodes: Node[]): Map<number, Branch> {
  const all = new Map(nodes.map((node) =>
    [node.id, { node, children: [], below: 0, best: 0 } as Branch]));
  for (const one of all.values()) {
    if (one.node.parent === one.node.id) continue;
    one.parent = all.get(one.node.parent);
    one.parent?.children.push(one);
  }
  // A version is made before its children.
  for (const one of [...all.values()].reverse()) {
    if (!one.parent) continue;
    one.parent.below += 1 + one.below;
    one.parent.best = Math.max(one.parent.best, one.best, one.node.reward);
  }
  return all;
}

/// Those above a version, and of the others the first ones.
function first(all: Map<number, Branch>, at: number): Unfolded {
  const out = new Set<number>();
  if (all.size <= drawn_whole) return new Set(all.keys());
  let drawn = 1;
  const unfold = (one: Branch) => {
    if (out.has(one.node.id)) return;
    out.add(one.node.id);
    drawn += one.children.length;
  };
  for (let one = all.get(at)?.parent; one; one = one.parent) unfold(one);
  for (const one of all.values()) { // a parent is open, or its child is not shown
    if (one.parent && !out.has(one.parent.node.id)) continue;
    if (drawn + one.children.length > drawn_first) break;
    unfold(one);
  }
  return out;
}

const radius = (node: Node) => 5 + Math.min(7, 2 * Math.log2(1 + node.visits));
const said = (node: Node) =>
  `version ${node.id}, reward ${rewardText(node)}, ${node.visits} visits`
  + (node.note ? `, ${node.note}` : "");
const kind = (node: Node) =>
  [node.best && "best", node.refused && "refused",
   (node.reward_least ?? node.raced) !== undefined && "stopped"].filter(Boolean).join(" ");

const label = (node: Node) => node.reward_least === undefined
  ? fixed(node.reward, 2)
  : `${fixed(node.reward_least, 2)} to ${fixed(node.reward, 2)}`;

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

function placed(root: Branch, unfolded: Unfolded) {
  const laid = layout<Branch>().nodeSize([30, 150])(hierarchy(root, (one) =>
    unfolded.has(one.node.id) ? one.children : []));
  const points = laid.descendants();
  let [top, bottom, right] = [0, 0, 0];
  for (const { x, y } of points) {
    top = Math.min(top, x);
    bottom = Math.max(bottom, x);
    right = Math.max(right, y);
  }
  return { points, links: laid.links(), top: top - 24, bottom: bottom + 24,
           right: right + 190 };
}

/// Unfolds what is below a version, or folds it.
function Fold({ point, is, turn }:
    { point: Point; is: boolean; turn: () => void }) {
  const { node, below, best } = point.data;
  const said = is ? `Fold the ${below} versions below version ${node.id}`
    : `Unfold the ${below} versions below version ${node.id}, of at most ${
      number(best)}`;
  return (
    <g class="fold" role="button" tabIndex={-1} aria-label={said}
       onClick={turn}>
      <text x={point.y + radius(node) + 4} y={point.x + 18}>{is ? "▾ fold"
        : `▸ ${below} more, to ${fixed(best, 2)}`}</text>
    </g>);
}

export function Drawing({ nodes, at, link }:
    { nodes: Node[]; at: number; link: (id: number) => string }) {
  const [zoom, setZoom] = useState(1);
  // Not again for each version that is looked at: a tree may have thousands.
  const all = useMemo(() => branches(nodes), [nodes]);
  const start = useMemo(() => first(all, at), [all]);
  const [turned, setTurned] = useState<Unfolded>();
  const unfolded = turned ?? start;
  const root = all.get(0);
  const drawn = useMemo(() => root && placed(root, unfolded), [root, unfolded]);
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<number>();
  useLayoutEffect(() => { // what an address names is shown
    const hidden = [];
    for (let one = all.get(at)?.parent; one; one = one.parent)
      if (!unfolded.has(one.node.id)) hidden.push(one.node.id);
    if (hidden.length) setTurned(new Set([...unfolded, ...hidden]));
    wanted.current = at;
  }, [all, at]);
  useLayoutEffect(() => {
    const point = drawn?.points.find((one) =>
      one.data.node.id === wanted.current);
    if (!box.current || !drawn || !point) return;
    wanted.current = undefined;
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = box.current;
    const [x, y] = [point.y * zoom, (point.x - drawn.top) * zoom];
    if (y < scrollTop || y > scrollTop + clientHeight)
      box.current.scrollTop = y - clientHeight / 2;
    if (x < scrollLeft || x + 100 * zoom > scrollLeft + clientWidth)
      box.current.scrollLeft = x - clientWidth / 2;
  });
  if (!drawn) return null;
  const { points, links, top, bottom, right } = drawn;
  const turn = (id: number) => {
    const next = new Set(unfolded);
    if (!next.delete(id)) next.add(id);
    wanted.current = id;
    setTurned(next);
  };
  const move = (event: KeyboardEvent, from: Point) => {
    const { node, below } = from.data;
    if (event.key === "ArrowRight" && below && !unfolded.has(node.id)) {
      event.preventDefault();
      return turn(node.id);
    }
    const to = neighbour(points, from, event.key);
    if (!to) return;
    event.preventDefault();
    document.getElementById(`version-${to.data.node.id}`)?.focus();
  };
  const folds = all.size > drawn_whole;
  return <>
    <p class="zoom">
      <button aria-label="Smaller" disabled={zoom < .3}
              onClick={() => setZoom(zoom / 1.4)}>−</button>
      <button aria-label="Larger" disabled={zoom > 3}
              onClick={() => setZoom(zoom * 1.4)}>+</button>
      {folds && <span class="quiet"> {points.length} of {all.size} versions are
        drawn; ▸ and the right arrow unfold more.</span>}</p>
    <div class="tree" ref={box}>
      <svg width={right * zoom} height={(bottom - top) * zoom}
           viewBox={`-20 ${top} ${right} ${bottom - top}`}>
        {links.map(({ source, target }) =>
          <path key={`to ${target.data.node.id}`}
                d={`M${source.y},${source.x}C${source.y + 60},${source.x} ${
            target.y - 60},${target.x} ${target.y},${target.x}`} />)}
        {points.map((point) => {
          const { node, below } = point.data;
          return <>
            <a key={node.id} id={`version-${node.id}`} href={link(node.id)}
               class={kind(node)} aria-label={said(node)}
               aria-current={node.id === at ? "true" : undefined}
               tabIndex={node.id === at ? 0 : -1}
               onKeyDown={(event) => move(event, point)}>
              <circle cx={point.y} cy={point.x} r={radius(node)}
                      class={bucket(least(node))} />
              <text x={point.y + radius(node) + 4} y={point.x + 4}>
                {node.id} · {label(node)}{node.best ? " ★" : ""}
                {node.refused ? " ✕" : ""}
              </text>
            </a>
            {folds && below > 0 && <Fold point={point}
              is={unfolded.has(node.id)} turn={() => turn(node.id)} />}
          </>;
        })}
      </svg>
    </div>
  </>;
}

export function Key() {
  return (
    <p class="quiet">Reward 0 <span class="scale">
      <svg viewBox="0 0 100 10" aria-hidden="true">{[...Array(10).keys()].map(
        (i) => <rect class={`r${i}`} x={10 * i} y={0} width={10}
                     height={10} />)}</svg></span> 1. The larger, the more
      visits. ★ best, ✕ refused by fresh trials, dashed: not scored to
      the end, with the colour of the least that its reward can be. Arrow keys move, Enter shows a version.</p>);
}
