// What /api/sweeps and /api/compare answer.
import type { Page } from "./api";

export interface Estimate { value: number; low: number; high: number }
export interface SweepRow {
  id: string; points: number; runs: number; cost_usd: number;
  states: Record<string, number>; problem?: string;
}
export interface Seed {
  seed: number; run: string; state: string; cut: boolean; rollouts: number;
  reused: number; score?: number; without?: number; cost_usd?: number;
  seconds?: number;
}
export interface Point {
  name: string; benchmark: string; seeds: Seed[];
  options: { key: string; value: string }[];
  score?: Estimate; gain?: Estimate; difference?: Estimate;
}
export interface SweepHead {
  id: string; prefix: string; name: string; benchmark: string; made: string;
  score_name: string; headline: string; cautions: string[]; runs: number;
  finished: number; not_begun: number; absent: string[]; unreadable: number; rollouts: number;
  reused: number; cost_usd: number;
  legend: { term: string; meaning: string }[];
}
export interface Reading { reading?: { read: number; runs: number } }
export type SweepPage<T> = SweepHead & Page<T> & Reading;

export interface Figures {
  caption: string; columns: { name: string; number: boolean }[];
  header: number; rows: { text: string; note?: string }[][]; marked?: number;
}
export interface Chart {
  id: string; kind: string; title: string; reading: string; svg: string;
  key: string; numbers: Figures;
}

export interface Contender {
  name: string; runs: number; tasks: number; ungraded: number;
  score: number | null; score_low: number; score_high: number;
  difference: number | null; difference_low: number; difference_high: number;
  paired_runs: number; paired_tasks: number;
}
export interface Comparison {
  benchmark: string; score: string; contenders: Contender[]; arms: string[];
  runs: string[][]; options: { key: string; values: string[] }[];
  cut?: { name: string; run: string; what: string }[];
  left_out?: { name: string; run: string; what: string }[];
}
export interface ComparedTask {
  task: string; grades: (number | null)[]; differences: (number | null)[];
}
