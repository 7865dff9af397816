// The points of a sweep as lines over its options, to their scores (parallel
// coordinates). Options are chosen beside it: that works by keys and on a phone,
// which brushes on the axes do not.
import { bucket, percent } from "./parts";
import type { Point } from "./sweep_api";

export interface Axis { key: string; values: string[] }
export type Chosen = Record<string, string>;

const unset = "–";
export const valueOf = (point: Point, key: string) => key === "benchmark"
  ? point.benchmark
  : point.options.find((one) => one.key === key)?.value ?? unset;

const inOrder = (a: string, b: string) => {
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
};

/// The options in which points differ.
export function axesOf(points: Point[]): Axis[] {
  const keys = ["benchmark", ...new Set(points.flatMap((point) =>
    point.options.map((one) => one.key)))];
  return keys.map((key) => ({ key, values: [...new Set(points.map((point) =>
    valueOf(point, key)))].sort(inOrder) }))
    .filter((axis) => axis.values.length > 1);
}

export const isChosen = (point: Point, chosen: Chosen) =>
  Object.entries(chosen).every(([key, value]) =>
    !value || valueOf(point, key) === value);

const [top, bottom, apart, left, letter] = [46, 276, 150, 90, 8];
const cut = (text: string, most: number) => {
  const tail = Math.floor((most - 1) / 2);
  return text.length > most
    ? `${text.slice(0, most - 1 - tail)}…${text.slice(-tail)}` : text;
};

/// What stands at an axis: short, but two values never look alike.
function labelsOf(values: string[]) {
  const longest = Math.max(...values.map((one) => one.length));
  let most = 14;
  const labels = () => values.map((one) => cut(one, most));
  while (most < longest && new Set(labels()).size < values.length) most += 4;
  return labels();
}

/// Where the axes stand: each with room for its labels at its left.
function placesOf(labels: string[][]) {
  const out: number[] = [];
  for (const some of labels) {
    const room = 24 + letter * Math.max(...some.map((one) => one.length));
    const before = out.at(-1);
    out.push(before === undefined ? Math.max(left, room)
             : before + Math.max(apart, room));
  }
  return out;
}

export function Choices({ axes, chosen, choose }:
    { axes: Axis[]; chosen: Chosen; choose: (next: Chosen) => void }) {
  return <>{axes.map(({ key, values }) =>
    <label key={key}>{key.split(".").at(-1)}
      <select value={chosen[key] ?? ""} title={key} onChange={(event) =>
          choose({ ...chosen, [key]: event.currentTarget.value })}>
        <option value="">all</option>
        {values.map((value) => <option>{value}</option>)}
      </select></label>)}</>;
}

export function Parallel({ axes, points, chosen, score }:
    { axes: Axis[]; points: Point[]; chosen: Chosen; score: string }) {
  const scored = points.filter((point) => point.score)
    .sort((a, b) => a.score!.value - b.score!.value);
  if (scored.length < 2 || !axes.length) return null;
  const low = scored[0].score!.value;
  const high = scored.at(-1)!.score!.value;
  const labels = axes.map((axis) => labelsOf(axis.values));
  const places = placesOf(labels);
  const last = places.at(-1)! + apart;
  const x = (axis: number) => places[axis];
  const of = (axis: Axis, value: string) => bottom - (bottom - top)
    * (axis.values.indexOf(value) + .5) / axis.values.length;
  // Lines with the same value lie beside each other, the best one at the top.
  const spread = (rank: number) =>
    8 * (.5 - rank / Math.max(1, scored.length - 1));
  const end = (value: number) => high > low
    ? bottom - (bottom - top) * (value - low) / (high - low)
    : (top + bottom) / 2;
  const line = (point: Point, rank: number) => [
    ...axes.map((axis, i) =>
      `${x(i)},${of(axis, valueOf(point, axis.key)) + spread(rank)}`),
    `${last},${end(point.score!.value)}`].join(" ");
  const shown = scored.map((point, rank) => ({ point, rank, is:
    isChosen(point, chosen) })).sort((a, b) => +a.is - +b.is);
  const best = shown.filter((one) => one.is).at(-1)?.point;
  const width = last + 90;
  return (
    <div class="figure">
      <h3>Options and scores</h3>
      <p class="quiet">Each line is a point; its colour is its score. Lines that
        are not chosen above are faint.</p>
      <div class="wide" role="region" tabIndex={0}
           aria-label="Options and scores">
        <svg class="parallel" role="img" viewBox={`0 0 ${width} 300`}
             width={width} height={300}
             aria-label={`Scores of ${scored.length} points over ${axes.map(
               ({ key }) => key).join(", ")}; the best of the ${shown.filter(
               ({ is }) => is).length} chosen is ${best
                 ? `${best.name} with ${percent(best.score!.value)}` : "none"}`}>
          {shown.map(({ point, rank, is }) => <polyline key={point.name}
            class={is ? bucket(point.score!.value) : "faint"}
            points={line(point, rank)} />)}
          {axes.map((axis, i) => <>
            <line class="axis" x1={x(i)} x2={x(i)} y1={top} y2={bottom} />
            <text x={x(i)} y={i % 2 ? 16 : 32} text-anchor="middle"
                  class="name">{cut(axis.key.split(".").at(-1)!, 22)}</text>
            {axis.values.map((value, k) => <text x={x(i) - 8}
              y={of(axis, value) + 4} text-anchor="end" class="tick">
              {labels[i][k]}<title>{value}</title></text>)}
          </>)}
          <line class="axis" x1={last} x2={last} y1={top} y2={bottom} />
          <text x={last} y={axes.length % 2 ? 16 : 32} text-anchor="middle"
                class="name">{cut(score, 22)}</text>
          {(high > low ? [low, high] : [high]).map((value) =>
            <text x={last + 8} y={end(value) + 4} class="tick">
              {percent(value)}</text>)}
        </svg>
      </div>
      {scored.length < points.length && <p class="quiet">
        {points.length - scored.length} of {points.length} points have no score
        yet.</p>}
    </div>);
}
