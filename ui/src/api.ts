// What /api/ answers; docs/ui.md lists the addresses.
import { useEffect, useState } from "preact/hooks";
import { exported, fromFolder } from "./exported";

export interface Page<T> { total: number; offset: number; items: T[] }
export interface Arm {
  name: string; split: string; tasks: number; reward?: number;
  ungraded: number; ungraded_share: number;
}
export interface Run {
  id: string; group: string; state: string; reason: string;
  started_ms: number; seconds: number; seed?: number; cost_usd: number;
  iteration: number; iterations?: number; concepts: number; events: number;
  reward?: number; score?: number; problem?: string; evaluations: Arm[];
  waits?: string;
}
export interface Progress {
  strategy: string; iteration: number; reward?: number; event: number;
}
export interface RunDetail extends Run {
  progress: Progress[]; learner?: string; final_evaluation?: boolean;
}
export interface Version {
  id: number; parent: number; document: string; iteration: number;
  depth: number; visits: number; value: number; reward: number;
  correctness: number; retrieval: number; rollouts: number;
  /// With it, the reward and its parts are the most that they can be.
  reward_least?: number;
  raced?: number; note?: string; empty?: boolean;
}
export interface Node extends Version {
  best: boolean; published: boolean; refused: boolean;
}
export interface Tree {
  strategy: string; concept: number; title: string; iteration: number;
  whole: boolean; versions: number; dropped: number; train_tasks: number;
  eval_tasks: number; best?: Version;
}
export interface Place { strategy?: string; concept?: number; title?: string }
export interface Document extends Place {
  hash: string; bytes: number; text: string;
}
export interface Listed {
  id: string; task: string; trial: number; outcome: string; reward: number;
  seconds: number; arms: string[]; reused_from?: string;
  reused_run?: string;
  left_out?: boolean; // of a folder: its steps
}
export interface Purpose extends Place {
  what: string; name: string; iteration?: number; document?: string;
  version?: number;
}
export interface Rollout extends Listed {
  done: number; for: Purpose[]; for_recorded: boolean;
  error: string; checks_total: number; checks: { name: string; met: boolean }[];
  ratings: { rubric: string; score: number; reason: string }[];
  insights_total: number; insights: { topic: string; sentence: string }[];
  notes: string[];
}
export interface Step {
  step: number; requestor: string; tool: string; arguments: string;
  observation: string; failed: boolean; reason: string; screenshot?: string;
}
export interface Query {
  query: string; documents: (Place & { hash: string })[];
}
export interface Large { too_large: number }
export interface Line {
  line: number; text: string;
  insights_total?: number; // with those that are left out
  insights?: { id: string; sentence: string; count: number;
               rollouts: { task: string; job: string;
                           grade?: { reward: number } }[] }[];
}

export const path = (...parts: (string | number)[]) =>
  parts.map((part) => encodeURIComponent(part)).join("/");

export async function get<T>(address: string): Promise<T> {
  if (exported) return fromFolder<T>(address);
  let answer: Response;
  try {
    answer = await fetch(`/api/${address}`);
  } catch {
    throw new Error("brewery ui does not answer; start it again");
  }
  const text = await answer.text();
  let body: { error?: string };
  try {
    body = JSON.parse(text) as { error?: string };
  } catch {
    throw new Error(text || `status ${answer.status}`);
  }
  if (!answer.ok) throw new Error(body.error ?? `status ${answer.status}`);
  return body as T;
}

const page = (address: string, offset: number, limit: number) =>
  `${address}${address.includes("?") ? "&" : "?"}offset=${offset}`
  + `&limit=${limit}`;

/// All items of a list, and what the first page says of it. The other pages are
/// asked for at once; one may be shorter than it was asked for, and then what is
/// missing of it is asked for again.
export async function getAll<T, Head>(address: string):
    Promise<Head & Page<T>> {
  const many = 1000;
  const until = async (items: T[], from: number, end: number) => {
    while (items.length < end - from) {
      const next = await get<Page<T>>(
        page(address, from + items.length, end - from - items.length));
      if (!next.items.length) break;
      items.push(...next.items);
    }
    return items;
  };
  const first = await get<Head & Page<T>>(page(address, 0, many));
  const starts: number[] = [];
  for (let at = many; at < first.total; at += many) starts.push(at);
  const rest = await Promise.all([
    until(first.items, 0, Math.min(many, first.total)),
    ...starts.map((at) => until([], at, Math.min(at + many, first.total)))]);
  first.items = rest.flat();
  return first;
}

export interface Asked<T> { value?: T; error?: string }

/// The answer, asked for again when `key` changes, or `again`; what was answered
/// then stays until the new answer is there, also if there is none.
export function useAsked<T>(key: string, ask: () => Promise<T>,
                            again?: unknown): Asked<T> {
  const [state, setState] = useState<{ key: string } & Asked<T>>({ key });
  useEffect(() => {
    let wanted = true;
    setState((now) => now.key === key && now.value !== undefined ? now
                                                                  : { key });
    ask().then((value) => wanted && setState({ key, value }),
               (problem: Error) => wanted && setState((now) =>
                 now.key === key && now.value !== undefined ? now
                   : { key, error: problem.message }));
    return () => { wanted = false; };
  }, [key, again]);
  return state.key === key ? state : {};
}

/// A list that grows page by page, from the item on that `start` asks for, such
/// as "step=7"; earlier ones come when they are asked for.
export function useList<T, Head = object>(address: string, limit = 100,
                                          start = "") {
  type Found = Head & Page<T>;
  const key = `${address} ${start}`;
  const [state, setState] = useState<{ key: string; head?: Found;
                                       error?: string }>({ key });
  const ask = async (from: string, put: (next: Found) => Found) => {
    try {
      setState({ key, head: put(await get<Found>(from)) });
    } catch (problem) {
      setState({ key, error: (problem as Error).message });
    }
  };
  useEffect(() => {
    setState({ key });
    const first = page(address, 0, limit);
    void ask(start ? `${first}&${start}` : first, (next) => next);
  }, [key]);
  const head = state.key === key ? state.head : undefined;
  const items = head?.items ?? [];
  const offset = head?.offset ?? 0;
  const more = () => ask(page(address, offset + items.length, limit),
    (next) => ({ ...next, offset, items: [...items, ...next.items] }));
  const earlier = () => {
    const from = Math.max(0, offset - limit);
    return ask(page(address, from, offset - from), (next) =>
      // A page may be shorter than was asked for, which would leave a gap.
      next.items.length < offset - from ? next
        : { ...next, items: [...next.items, ...items] });
  };
  return { head, error: state.error, more, earlier };
}
