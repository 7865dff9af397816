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
const parts = new Map<number, Promise<void>>();

/// Undefined: a server answers.
export const exported = all.brewery_export;
all.brewery_answer = (key, answer) => { answers.set(key, answer); };

/// As web/answer_files.cpp.
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

/// The rollouts of a task or arm, from the list of all.
async function chosen(way: string, values: URLSearchParams) {
  const out = await answerOf<{ arms: string[] } & Page<Listed>>(
    `${keyOf(way)}#0`);
  const items = [...out.items];
  while (items.length < out.total)
    items.push(...(await answerOf<Page<Listed>>(
      `${keyOf(way)}#${items.length}`)).items);
  const task = values.get("task");
  const arm = values.get("arm");
  const wanted = items.filter((one) => (!task || one.task === task)
    && (!arm || (arm === "search" ? !one.arms.length
                                  : one.arms.includes(arm))));
  const from = Number(values.get("offset") ?? 0);
  return { ...out, total: wanted.length, offset: from,
           items: wanted.slice(from, from + Number(values.get("limit"))) };
}

export async function fromFolder<T>(address: string): Promise<T> {
  const [way, query = ""] = address.split("?");
  const values = new URLSearchParams(query);
  if (way.endsWith("/rollouts") && (values.has("task") || values.has("arm")))
    return await chosen(way, values) as T;
  return answerOf<T>(`${keyOf(address)}#${values.get("offset") ?? 0}`);
}
