#include "report/sweep/page_style.hpp"

namespace brewery::sweep_view {

// Series are colours of Okabe and Ito (2008), darker on white and as they are
// on black, so that each stands out from the page by 3 to 1 or more.
const std::string_view page_style = R"css(
:root { color-scheme: light dark; --page: #fbfbf9; --card: #ffffff;
  --text: #1c2127; --soft: #545d68; --edge: #dcdfe3; --grid: #e8eaed;
  --accent: #00629b; --mark: #eef5fa; --warn: #8a3b00; --warn-page: #fff6ec;
  --s0: #0072b2; --s1: #c25400; --s2: #00805d; --s3: #a8477f; --s4: #8f6a00;
  --s5: #454d57; --s6: #2f5fd0; --s7: #9c2f2f; --heat: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171b; --card: #1b1f24; --text: #e7eaee; --soft: #a8b1bc;
    --edge: #353b43; --grid: #2a2f36; --accent: #7cc4f2; --mark: #1d2b36;
    --warn: #ffb877; --warn-page: #2b2218;
    --s0: #56b4e9; --s1: #ff8f40; --s2: #2bc495; --s3: #e691bd; --s4: #f0e442;
    --s5: #d5dae0; --s6: #9db4ff; --s7: #ff9a9a; --heat: #56b4e9; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card);
  border: 2px solid var(--accent); border-radius: .4rem; z-index: 1; }
header, main, footer { max-width: 70rem; margin: 0 auto;
  padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: clamp(2rem, 6vw, 4rem); }
footer { padding-top: 2rem; padding-bottom: 3rem; color: var(--soft);
  font-size: .9rem; }
h1, h2, h3, p, li, dd, dt, td.w, th.w { overflow-wrap: anywhere; }
h1 { font-size: clamp(1.7rem, 5vw, 2.5rem); line-height: 1.15; margin: 0;
  letter-spacing: -.015em; }
h2 { font-size: 1.45rem; line-height: 1.3; margin: 3.5rem 0 .75rem;
  letter-spacing: -.01em; }
h3 { font-size: 1.08rem; line-height: 1.35; margin: 0 0 .35rem; }
p { margin: 0 0 1rem; max-width: 46rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px;
  border-radius: .2rem; }
.soft { color: var(--soft); }
.facts { margin: .6rem 0 0; color: var(--soft); }
.headline { font-size: clamp(1.15rem, 2.6vw, 1.4rem); line-height: 1.5;
  max-width: 52rem; margin: 0 0 1.25rem; }
.cautions { list-style: none; margin: 0; padding: 0; max-width: 52rem; }
.cautions li { margin: 0 0 .5rem; padding: .55rem .9rem; color: var(--warn);
  background: var(--warn-page); border-left: 4px solid var(--warn);
  border-radius: .25rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: 1rem; margin: 1.75rem 0 0; }
.tiles div { background: var(--card); border: 1px solid var(--edge);
  border-radius: .6rem; padding: .8rem 1rem; }
.tiles dt { color: var(--soft); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.35rem; font-weight: 600;
  font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--edge);
  border-radius: .6rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .8rem .9rem .4rem; color: var(--soft); }
th, td { padding: .5rem .9rem; text-align: left; vertical-align: top;
  border-top: 1px solid var(--grid); }
td.w, th.w { min-width: 9rem; }
thead th { border-top: 0; border-bottom: 2px solid var(--edge); color: var(--soft);
  font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; }
.n { text-align: right; white-space: nowrap; }
thead .n { white-space: normal; }
td small { display: block; color: var(--soft); font-size: .82rem; }
tr.best > * { background: var(--mark); }
.badge { display: inline-block; margin-left: .5rem; padding: 0 .5rem;
  border: 1px solid var(--accent); border-radius: 1rem; color: var(--accent);
  font-size: .75rem; font-weight: 600; }
.charts { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); }
.mixed { display: block; columns: 2 27rem; column-gap: 1.5rem; }
.mixed .chart { break-inside: avoid; margin-bottom: 1.5rem; }
.chart { margin: 0; background: var(--card); border: 1px solid var(--edge);
  border-radius: .75rem; padding: 1.1rem clamp(.75rem, 3vw, 1.4rem); min-width: 0; }
.chart p { font-size: .92rem; color: var(--soft); }
.chart > svg { display: block; width: 100%; height: auto; margin: .5rem 0 .8rem;
  overflow: visible; }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem;
  margin: 0 0 .9rem; padding: 0; font-size: .88rem; }
.key .sample { width: 2.1rem; height: 1rem; margin-right: .45rem;
  vertical-align: -.15rem; }
details { font-size: .92rem; }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
details .scroll { margin-top: .6rem; max-height: 28rem; overflow: auto; }
dl.legend { margin: 0; max-width: 52rem; }
.legend dt { font-weight: 600; margin-top: .9rem; }
.legend dd { margin: 0; color: var(--soft); }
svg text { fill: var(--text); font-size: 13px; }
svg .tick, svg .name { fill: var(--soft); }
svg .name { font-weight: 600; }
svg .best, svg .cell { font-weight: 600; }
svg .label { font-weight: 600; paint-order: stroke; stroke: var(--card);
  stroke-width: 3px; }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1; }
.bar { stroke: var(--text); stroke-width: 2; }
.seed { fill: none; stroke: var(--soft); stroke-width: 1.5; }
.heat { fill: var(--heat); stroke: var(--edge); }
.front { fill: none; stroke: var(--s3); stroke-width: 2; stroke-dasharray: 7 5; }
.other { fill: none; stroke: var(--edge); stroke-width: 1.5; }
.l { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
.m { stroke: var(--card); stroke-width: 1; }
.m.s0 { fill: var(--s0); } .l.s0 { stroke: var(--s0); }
.m.s1 { fill: var(--s1); } .l.s1 { stroke: var(--s1); stroke-dasharray: 7 4; }
.m.s2 { fill: var(--s2); } .l.s2 { stroke: var(--s2); stroke-dasharray: 2 4; }
.m.s3 { fill: var(--s3); } .l.s3 { stroke: var(--s3); stroke-dasharray: 10 4 2 4; }
.m.s4 { fill: var(--s4); } .l.s4 { stroke: var(--s4); stroke-dasharray: 14 5; }
.m.s5 { fill: var(--s5); } .l.s5 { stroke: var(--s5); stroke-dasharray: 5 2; }
.m.s6 { fill: var(--s6); } .l.s6 { stroke: var(--s6); stroke-dasharray: 8 3 2 3 2 3; }
.m.s7 { fill: var(--s7); } .l.s7 { stroke: var(--s7); stroke-dasharray: 1 3; }
@media (max-width: 34rem) { svg text { font-size: 16px; } }
@media print { body { background: none; } .chart, .scroll { break-inside: avoid; } }
)css";

} // namespace brewery::sweep_view
