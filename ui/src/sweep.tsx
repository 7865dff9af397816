// A sweep: its points by seed, and the charts and tables of its report.
import { useEffect, useState } from "preact/hooks";
import { get, getAll, path, type Asked, type Large } from "./api";
import { Figure, FigureTable } from "./markup";
import { axesOf, Choices, isChosen, Parallel, type Chosen } from "./parallel";
import { points as inPoints } from "./compare";
import { Answer, bucket, counted, duration, Facts, percent, Table }
  from "./parts";
import { money } from "./rounding";
import type { Chart, Estimate, Figures, Point, Reading, Seed, SweepHead,
              SweepPage } from "./sweep_api";

type Part<T> = SweepPage<T | Large>;
interface Whole { points: Part<Point>; charts: Part<Chart>;
                  tables: Part<Figures> }

/// Asks until every run of the sweep is read, and says how far that is.
function useSweep(id: string) {
  const [state, setState] = useState<{ id: string; far?: string }
                                     & Asked<Whole>>({ id });
  useEffect(() => {
    let wanted = true;
    const where = path("sweeps", id);
    const ask = async () => {
      for (;;) {
        const { reading } = await get<Reading>(`${where}?limit=1`);
        if (!wanted) return;
        if (!reading) break;
        setState({ id, far: `Read ${reading.read} of ${reading.runs} runs …` });
      }
      const value = {
        points: await getAll<Point | Large, SweepHead>(where),
        charts: await getAll<Chart | Large, SweepHead>(`${where}/charts`),
        tables: await getAll<Figures | Large, SweepHead>(`${where}/tables`) };
      if (wanted) setState({ id, value });
    };
    setState({ id });
    ask().catch((problem: Error) =>
      wanted && setState({ id, error: problem.message }));
    return () => { wanted = false; };
  }, [id]);
  return state.id === id ? state : { id };
}

const whole = <T extends object,>(items: (T | Large)[]) =>
  items.filter((one): one is T => !("too_large" in one));

const interval = (of: Estimate | undefined, shown: (share: number) => string) =>
  !of ? <>–</> : <>{shown(of.value)}
    <small>{shown(of.low)} to {shown(of.high)}</small></>;

function Cell({ sweep, seed }: { sweep: SweepHead; seed?: Seed }) {
  if (!seed) return <td class="number quiet">–</td>;
  const shown = seed.score !== undefined ? percent(seed.score) : seed.state;
  return (
    <td class="number">
      {seed.score !== undefined && <svg class="dot" viewBox="0 0 10 10"
        aria-hidden="true"><circle cx={5} cy={5} r={5}
        class={bucket(seed.score)} /></svg>}
      <a href={`#/${path("runs", sweep.prefix + seed.run)}`}
         aria-label={`${shown}: run ${seed.run}`}>{shown}</a>
    </td>);
}

function Points({ sweep, points }: { sweep: SweepHead; points: Point[] }) {
  const [word, setWord] = useState("");
  const [chosen, setChosen] = useState<Chosen>({});
  const axes = axesOf(points);
  const seeds = [...new Set(points.flatMap((point) =>
    point.seeds.map((one) => one.seed)))].sort((a, b) => a - b);
  const text = (point: Point) => [point.name, point.benchmark,
    ...point.options.map(({ key, value }) => `${key} ${value}`)].join(" ");
  const shown = points.filter((point) => isChosen(point, chosen)
    && text(point).toLowerCase().includes(word.toLowerCase()));
  return <>
    <div class="bar"><label>Name, option or value
      <input type="search" value={word}
             onInput={(e) => setWord(e.currentTarget.value)} /></label>
      <Choices axes={axes} chosen={chosen} choose={setChosen} /></div>
    <Parallel axes={axes} points={points} chosen={chosen}
              score={sweep.score_name} />
    <Table label="Points by seed" head={<>
      <th scope="col">point</th>
      {seeds.map((seed) =>
        <th class="number" scope="col">seed {seed}</th>)}
      <th class="number" scope="col">{sweep.score_name}</th>
      <th class="number" scope="col">gain over no documents,
        points</th>
      <th class="number" scope="col">difference to the first,
        points</th>
      <th class="number" scope="col">rollouts</th></>}>
      {shown.map((point) => <tr key={point.name}>
        <th scope="row" class="title">{point.name}</th>
        {seeds.map((seed) => <Cell sweep={sweep}
          seed={point.seeds.find((one) => one.seed === seed)} />)}
        <td class="number">{interval(point.score, percent)}</td>
        <td class="number">{interval(point.gain, inPoints)}</td>
        <td class="number">{interval(point.difference, inPoints)}</td>
        <td class="number">{point.seeds.reduce((sum, one) =>
          sum + one.rollouts, 0)}</td>
      </tr>)}
    </Table>
    <p class="quiet">{shown.length} of {counted(points.length, "point")}. The
      value of a seed leads to its run.{" "}
      <a href={`#/compare?runs=${encodeURIComponent(sweep.id)}`}>Compare the
        points task by task</a></p>
  </>;
}

function Charts({ all }: { all: (Chart | Large)[] }) {
  const charts = whole(all);
  const curves = charts.filter((one) => one.kind === "curve");
  return <>
    {charts.length > 0 && <h2>Charts</h2>}
    <div class="figures">{charts.filter((one) => one.kind !== "curve")
      .map((one) => <Figure of={one} />)}</div>
    {curves.length > 0 && <>
      <h2>By iteration</h2>
      <p class="quiet">Train is dashed with squares, eval a line with circles,
        the diamond at the right is the test score at the end. All have the same
        axes; means over seeds.</p>
      <div class="figures">{curves.map((one) => <Figure of={one} />)}</div>
    </>}
    {charts.length < all.length && <p class="bad">{all.length - charts.length}
      {" "}of {counted(all.length, "chart")} too large for this page: `brewery
      report` writes all of them.</p>}
  </>;
}

export function SweepView({ id }: { id: string }) {
  const asked = useSweep(id);
  if (asked.far) return <p class="quiet" role="status">{asked.far}</p>;
  return (
    <Answer of={asked}>{({ points, charts, tables }) => <>
      <h1>Sweep {points.name}</h1>
      <p class="quiet">{points.benchmark}</p>
      <p class="headline">{points.headline}</p>
      {points.cautions.length > 0 && <ul class="cautions">
        {points.cautions.map((one) => <li>{one}</li>)}</ul>}
      <Facts rows={[
        ["points", points.total],
        ["runs finished", `${points.finished} of ${points.runs}`],
        ["rollouts", `${points.rollouts}, ${points.reused} of them reused`],
        ["cost", points.cost_usd > 0 ? money(points.cost_usd) : "–"],
        ["time", duration(whole(points.items).flatMap((one) => one.seeds)
          .reduce((sum, one) => sum + (one.seconds ?? 0), 0))],
        ["read", `${points.made} UTC`],
      ]} />
      <h2>Points and seeds</h2>
      <Points sweep={points} points={whole(points.items)} />
      <Charts all={charts.items} />
      <h2>Tables of the report</h2>
      {whole(tables.items).map((one) => <details>
        <summary>{one.caption}</summary><FigureTable of={one} /></details>)}
      <details><summary>How to read this</summary>
        <dl>{points.legend.map(({ term, meaning }) =>
          <><dt>{term}</dt><dd>{meaning}</dd></>)}</dl></details>
    </>}</Answer>);
}
