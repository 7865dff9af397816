// Follows a run: what its log got, and what it does now. Tabs that show the same
// run share one stream, because a browser has few connections to a server.
import { useEffect, useState } from "preact/hooks";
import { get, path } from "./api";
import { exported } from "./exported";

export interface LivePoint {
  strategy: string; iteration: number; reward?: number; rollouts?: number;
  cost_usd?: number;
}
export interface Latest {
  id: string; task: string; trial: number; graded: boolean; reward: number;
}
export interface Barrier {
  search: string; phase: string; iteration: number; iterations: number;
  trees: number; trees_reported: number; missing: number[]; waiting_s?: number;
}
export interface Worker {
  name: string; host: string; state: string; slots: number; busy: number;
  done: number; failed: number; last_error: string;
}
export interface Now {
  at_ms: number; search: string; phase: string; searches: Barrier[];
  jobs: number; jobs_done: number; evaluations_left: number;
  rollouts_per_second: number; failed_jobs: number; waits: string[];
  models: string; seconds_left?: number; cost_usd?: number;
  cost_max_usd?: number; queued?: number; running?: number; slots?: number;
  slots_busy?: number; workers_total?: number; workers?: Worker[];
}
interface Part {
  from: number; to: number; rollouts: number; graded: number; rewards: number;
  points: LivePoint[]; latest: Latest[];
}
export interface Live {
  at: number; rollouts: number; graded: number; rewards: number;
  points: LivePoint[]; latest: Latest[]; now?: Now;
  whole: boolean; ///< all is read that the log had
  over: boolean;  ///< the run does not go on
  problem?: string;
}
type Event = { name: "log"; part: Part } | { name: "now"; now: Now }
           | { name: "over" };

const latest_shown = 10;
const nothing: Live = { at: 0, rollouts: 0, graded: 0, rewards: 0, points: [],
                        latest: [], whole: false, over: false };

/// A search that goes back, after a retry, comes to its barriers again.
function atBarrier(before: LivePoint[], now: LivePoint): LivePoint[] {
  return [...before.filter((one) => one.strategy !== now.strategy
                                    || one.iteration < now.iteration), now];
}

/// Adds a part that begins where the ones before ended.
export function added(live: Live, part: Part): Live {
  return { ...live, at: part.to, rollouts: live.rollouts + part.rollouts,
           graded: live.graded + part.graded,
           rewards: live.rewards + part.rewards,
           points: part.points.reduce(atBarrier, live.points),
           latest: [...live.latest, ...part.latest].slice(-latest_shown) };
}

class Follower {
  private live = nothing;
  private stopped = false;
  private catching = false;
  private stream?: EventSource;
  private leave?: () => void; // the lock
  private channel?: BroadcastChannel;
  private timer?: ReturnType<typeof setTimeout>;
  private heard = 0;

  constructor(private run: string, private show: (live: Live) => void) {
    void this.begin();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.stream?.close();
    this.channel?.close();
    this.leave?.();
  }

  private set(change: Partial<Live>) {
    this.live = { ...this.live, ...change };
    if (!this.stopped) this.show(this.live);
  }

  /// Reads until nothing is missing. Says whether the run goes on.
  private async catchUp() {
    if (this.catching) return true;
    this.catching = true;
    try {
      for (;;) {
        const news = await get<{ log: Part; at_end: boolean; now?: Now }>(
          `${path("runs", this.run, "live")}?after=${this.live.at}`);
        if (this.stopped) return false;
        this.heard = Date.now();
        if (news.log.from === this.live.at + 1)
          this.live = added(this.live, news.log);
        this.set({ now: news.now, whole: news.at_end, problem: undefined });
        if (news.at_end) return news.now !== undefined;
      }
    } finally { this.catching = false; }
  }

  private async begin() {
    try {
      if (!await this.catchUp()) return this.set({ over: true });
    } catch (problem) {
      this.set({ problem: (problem as Error).message });
      return this.later(() => this.begin());
    }
    if (this.stopped) return;
    this.set({ over: false });
    // Both are there on this machine or with TLS only.
    if (!navigator.locks || !window.BroadcastChannel)
      return this.later(() => this.begin());
    const name = `brewery ${this.run}`;
    if (!this.channel) {
      this.channel = new BroadcastChannel(name);
      this.channel.onmessage = (message) => this.take(message.data as Event);
      void navigator.locks.request(name, () =>
        new Promise<void>((done) => {
          this.leave = done;
          if (this.stopped) done(); else this.lead();
        }));
    } else if (this.leave) this.lead();
    this.watch();
  }

  /// Of the tabs with this run, one has the stream.
  private lead() {
    this.stream?.close();
    const stream = new EventSource(
      `/api/${path("runs", this.run, "stream")}?after=${this.live.at}`);
    this.stream = stream;
    const tell = (event: Event) => {
      this.channel?.postMessage(event);
      this.take(event);
    };
    const on = (name: string, event: (data: string) => Event) =>
      stream.addEventListener(name, (message) =>
        tell(event((message as MessageEvent<string>).data)));
    on("log", (data) => ({ name: "log", part: JSON.parse(data) as Part }));
    on("now", (data) => ({ name: "now", now: JSON.parse(data) as Now }));
    on("over", () => ({ name: "over" }));
    stream.onerror = () => {
      // A refused stream is not tried again by the browser.
      if (stream.readyState === EventSource.CLOSED)
        this.later(() => this.begin());
    };
  }

  private take(event: Event) {
    if (this.stopped) return;
    this.heard = Date.now();
    if (event.name === "over") {
      this.stream?.close();
      return this.set({ over: true, now: undefined });
    }
    if (event.name === "now") return this.set({ now: event.now });
    const { part } = event;
    if (part.to <= this.live.at) return;
    // Two tabs need not have read equally far.
    if (part.from !== this.live.at + 1)
      return void this.catchUp().catch(() => undefined);
    this.set({ ...added(this.live, part), problem: undefined });
  }

  /// A stream says something every few seconds; the tab that has it may have
  /// been put to sleep.
  private watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.stopped || this.live.over) return;
      if (Date.now() - this.heard < 12_000) return this.watch();
      void this.begin();
    }, 3000);
  }

  private later(what: () => void) {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(what, 2000);
  }
}

/// `again` changes when the run is to be followed anew.
export function useLive(run: string, again: unknown): Live {
  const [state, setState] = useState<{ run: string; live: Live }>(
    { run, live: nothing });
  useEffect(() => {
    if (exported) return; // a folder does not go on
    const follower = new Follower(run, (live) => setState({ run, live }));
    return () => follower.stop();
  }, [run, again]);
  return state.run === run ? state.live : nothing;
}
