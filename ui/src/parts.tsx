// What several pages show alike.
import type { ComponentChildren } from "preact";
import type { Asked, Version } from "./api";
import { fixed } from "./rounding";

export const number = (value?: number) =>
  value === undefined ? "–" : fixed(value, 3);
export const percent = (value?: number) =>
  value === undefined ? "–" : `${fixed(100 * value, 1)} %`;
export const short = (hash: string) => hash.slice(0, 8);
export const bucket = (reward: number) =>
  `r${Math.max(0, Math.min(9, Math.floor(reward * 10)))}`;

type Scored = Pick<Version, "reward" | "reward_least">;
/// The reward; of an evaluation that was stopped the range that it is in.
export const rewardText = (of?: Scored) => of?.reward_least === undefined
  ? number(of?.reward) : `${number(of.reward_least)} to ${number(of.reward)}`;
/// What is sure of it.
export const least = (of: Scored) => of.reward_least ?? of.reward;

export const counted = (count: number, what: string) =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

export function duration(seconds: number) {
  if (seconds < 10) return `${fixed(seconds, 1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

export const time = (ms: number) =>
  ms > 0 ? new Date(ms).toISOString().slice(0, 16).replace("T", " ") : "–";

/// What was asked for, or why it is not there.
export function Answer<T>({ of, children }:
    { of: Asked<T>; children: (value: T) => ComponentChildren }) {
  if (of.error)
    return <><h1>Nothing to show</h1><p role="alert" class="bad">{of.error}</p></>;
  if (of.value === undefined) return <p class="quiet">Loading …</p>;
  return <>{children(of.value)}</>;
}

/// A table that scrolls by itself in a narrow window.
export function Table({ label, head, children }:
    { label: string; head: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="wide" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead><tr>{head}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>);
}

export function More({ shown, total, what, more, from = 0 }:
    { shown: number; total: number; what: string; more: () => void;
      from?: number }) {
  return (
    <p class="quiet">{from ? `${from + 1} to ${from + shown}` : shown} of {total}
      {" "}{what}
      {from + shown < total
        && <> <button onClick={more}>Show more</button></>}
    </p>);
}

export function Facts({ rows }: { rows: [string, ComponentChildren][] }) {
  return <dl>{rows.map(([name, value]) =>
    <><dt>{name}</dt><dd>{value}</dd></>)}</dl>;
}
