// A run that was written as a folder (`brewery ui export`): the answers come from
// scripts beside the page, since a page from disk may not fetch files.
import type { Listed, Page } from "./api";

interface About {
  run: string; parts: number; rollouts: number; with_steps: number;
  made: string; version: string;
}
interface Global {
  brewery_export?: About;
  brewery_answer?: (key: string, answer: string) => void;
}
const all = globalThis as Global;
const answers = new Map<string, string>();
/// As web/rollout_pages.hpp.
const searched_max = 2000;
const parts = new Map<number, Promise<void>>();

/// Undefined: a server answers.
export const exported = all.brewery_export;
all.brewery_answer = (key, answer) => { answers.set(key, answer); };

/// As web/export/answer_files.cpp.
function partOf(key: string, count: number) {
  let hash = 2166136261;
  for (const byte of new TextEncoder().encode(key))
    hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash % count;
}

function load(part: number) {
  const known = parts.get(part);
  if (known) return known;
  const made = new Promise<void>((done, failed) => {
    const script = document.createElement("script");
    script.src = `data/${part}.js`;
    script.onload = () => done();
    script.onerror = () => failed(new Error(
      `data/${part}.js is missing: copy the whole folder`));
    document.head.append(script);
  });
  parts.set(part, made);
  return made;
}

async function answerOf<T>(key: string): Promise<T> {
  await load(partOf(key, exported!.parts));
  const text = answers.get(key);
  if (text === undefined)
    throw new Error(key.includes("\nrollouts\n")
      ? "What this agent did was left out of the folder for its size (--max-mb)"
      : "This is not in the folder: ask `brewery ui`, which it was made by");
  const body = JSON.parse(text) as T & { error?: string };
  if (Object.keys(body as object).join() === "error")
    throw new Error(body.error);
  return body;
}

function keyOf(address: string) {
  const [way, query = ""] = address.split("?");
  const values = [...new URLSearchParams(query)]
    .filter(([name]) => name !== "offset" && name !== "limit")
    .sort(([a], [b]) => a < b ? -1 : 1);
  return way.split("/").map(decodeURIComponent).join("\n")
    + (values.length ? `?${values.map((one) => one.join("=")).join("\n")}` : "");
}

/// The first items of a list, at least as many as `enough` wants. The folder has
/// pages of its own lengths.
async function itemsOf<T>(key: string, enough: (items: T[]) => boolean) {
  const head = await answerOf<Page<T>>(`${key}#0`);
  const items = [...head.items];
  while (items.length < head.total && !enough(items)) {
    const next = await answerOf<Page<T>>(`${key}#${items.length}`);
    items.push(...next.items);
  }
  return { head, items };
}

const small = (value: unknown) => String(value ?? "")
  .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
/// As the server finds texts: letters of ASCII are equal in large and small.
const hasPart = (value: unknown, text: string) =>
  small(value).includes(small(text));

function hasText(one: Record<string, unknown>, text: string) {
  return ["tool", "arguments", "observation", "reason", "query"]
    .some((name) => hasPart(one[name], text));
}

/// As the server finds tasks: by the whole id, else by a part of it.
function tasked(items: Listed[], word: string) {
  if (!word) return () => true;
  if (items.some((one) => one.task === word))
    return (one: Listed) => one.task === word;
  return (one: Listed) => hasPart(one.task, word);
}

/// The rollouts of a task, an arm, a grade or a time, from the list of all; with a
/// text those that have it, of the newest whose steps are in the folder.
async function chosen(key: string, values: URLSearchParams) {
  const { head, items } = await itemsOf<Listed>(key, () => false);
  const [task, arm, grade, text] = ["task", "arm", "grade", "text"].map((name) =>
    values.get(name));
  const seconds = Number(values.get("seconds"));
  const ofTask = tasked(items, task ?? "");
  const all = items.filter((one) => ofTask(one)
    && one.seconds >= seconds
    && (!arm || (arm === "search" ? !one.arms.length : one.arms.includes(arm)))
    && (!grade || grade === (one.outcome !== "graded" ? "none"
                             : one.reward >= 1 ? "full" : "less")));
  if (!text) return { head, items: all };
  const hits: Listed[] = [];
  let searched = 0;
  for (const one of all.slice(0, searched_max)) {
    const done = await itemsOf<Record<string, unknown>>(
      `${key}\n${one.id}`, () => false).catch(() => undefined);
    // Left out for its size.
    if (!done || "left_out" in done.head) continue;
    searched += 1;
    if (done.items.some((step) => hasText(step, text))) hits.push(one);
  }
  return { head: { ...head, searched, chosen: all.length }, items: hits };
}

async function found(way: string, values: URLSearchParams) {
  const { head, items } = await itemsOf<Record<string, unknown>>(
    keyOf(way), () => false);
  const hits = items.filter((one) => (!values.has("failed") || one.failed)
    && hasText(one, values.get("text") ?? ""));
  const offset = Number(values.get("offset"));
  return { ...head, offset, total: hits.length,
           items: hits.slice(offset, offset + Number(values.get("limit"))) };
}

/// A page of a list, which begins a little before a step if one is asked for.
async function paged(address: string, values: URLSearchParams) {
  const [way] = address.split("?");
  const limit = Number(values.get("limit"));
  if (way.endsWith("/rollouts")) {
    const { head, items } = await chosen(keyOf(way), values);
    const offset = Number(values.get("offset"));
    return { ...head, offset, total: items.length,
             items: items.slice(offset, offset + limit) };
  }
  if (values.has("text") || values.has("failed")) return found(way, values);
  const step = Number(values.get("step"));
  const isIt = (one: object) => "step" in one && one.step === step;
  let offset = Number(values.get("offset"));
  values.delete("step");
  const { head, items } = await itemsOf<object>(
    keyOf(`${way}?${values}`), (all) => step ? all.some(isIt)
                                             : all.length >= offset + limit);
  if (step) {
    const at = items.findIndex(isIt);
    if (at < 0) throw new Error(`the rollout has no step ${step}`);
    offset = Math.max(0, at - 5);
  }
  return { ...head, offset, items: items.slice(offset, offset + limit) };
}

export async function fromFolder<T>(address: string): Promise<T> {
  const values = new URLSearchParams(address.split("?")[1] ?? "");
  return values.has("limit") ? await paged(address, values) as T
                             : answerOf<T>(`${keyOf(address)}#0`);
}
