#include "camber/report/chart.h"

namespace camber::report {

// Lettering stands beside the drawing, placed in percent of it: so a chart may be as wide as the
// window and its letters keep their size. Curves are stretched, their strokes are not.
const char* chart_style() {
  return R"css(
:root { --c0: #0072b2; --c1: #d55e00; --c2: #00855f; --c3: #b8579a; --c4: #a86f00; --c5: #3b8fc4; --c6: #6f6f6f;
        --c7: #8c564b; --good: #146c43; --good-soft: #d8f0e3; --bad: #a61b1b; --bad-soft: #fbdedd; --muted: #5c636a; }
@media (prefers-color-scheme: dark) {
  :root { --c0: #58aee8; --c1: #ff8c42; --c2: #35c796; --c3: #e394c6; --c4: #e8b33d; --c5: #8fd0f5; --c6: #a8a8a8;
          --c7: #c99a8e; --good: #7fdcae; --good-soft: #143526; --bad: #ff9d97; --bad-soft: #47191a; --muted: #9aa1a8; }
}
.charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin: 1rem 0; }
.card { min-width: 0; border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem .6rem; }
.wide-card { grid-column: 1 / -1; }
.card h2 { font-size: 1rem; margin: 0 0 .15rem; padding: 0; border: 0; }
.card h2 .unit { font-weight: 400; color: var(--muted); }
.card .note, p.note { margin: .3rem 0 0; font-size: .8rem; color: var(--muted); }
.legend { display: flex; flex-wrap: wrap; gap: 0 .9rem; min-height: 1.5em; font-size: .8rem; margin-bottom: .35rem; }
.key { white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.key i { display: inline-block; width: 1.1rem; border-top: 3px solid var(--color); vertical-align: .22em;
         margin-right: .35rem; }
.key.dashed i { border-top-style: dashed; }
.key.dots i { width: 0; border-top: 0; border: 3.5px solid var(--color); border-radius: 50%; vertical-align: .05em; }
.key b { display: inline-block; min-width: 3.6em; font-weight: 600; font-variant-numeric: tabular-nums; }
.c0 { --color: var(--c0); } .c1 { --color: var(--c1); } .c2 { --color: var(--c2); } .c3 { --color: var(--c3); }
.c4 { --color: var(--c4); } .c5 { --color: var(--c5); } .c6 { --color: var(--c6); } .c7 { --color: var(--c7); }
.chart:focus-visible { outline: 2px solid var(--c0); outline-offset: 3px; }
.area { position: relative; height: 13rem; margin: 0 .9rem 1.35rem 3.5rem; box-shadow: 0 0 0 1px var(--line); }
.area[style] { height: auto; }
.area svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: hidden; }
.area path { fill: none; vector-effect: non-scaling-stroke; }
.area .grid { stroke: var(--line); stroke-width: 1; opacity: .7; }
.area .zero { stroke: var(--muted); stroke-width: 1; }
.area .curve { stroke: var(--color); stroke-width: 1.7; stroke-linejoin: round; }
.area .dense { stroke-width: 1; stroke-opacity: .8; }
.area .dashed { stroke-dasharray: 6 4; }
.area .curve.dots { stroke-width: 7; stroke-linecap: round; }
.area .outline { fill: var(--c6); fill-opacity: .35; stroke: var(--c6); }
.tx, .ty { position: absolute; font-size: .74rem; line-height: 1; color: var(--muted); white-space: nowrap;
           font-variant-numeric: tabular-nums; }
.tx { top: calc(100% + .35rem); transform: translateX(-50%); }
.ty { right: calc(100% + .4rem); transform: translateY(-50%); }
.axis { font-size: .74rem; line-height: 1.1; color: var(--muted); text-align: center; margin-left: 2.6rem; }
.place { position: absolute; width: 0; height: 0; font-size: .74rem; line-height: 1; white-space: nowrap; }
.place::before, .dot { content: ""; position: absolute; width: 7px; height: 7px; margin: -3.5px; border-radius: 50%;
                       background: var(--ink); }
.place > span { position: absolute; left: .35rem; bottom: .35rem; }
.place.to-left > span { left: auto; right: .35rem; }
.place.below > span { bottom: auto; top: .35rem; }
[data-over-time] .area { cursor: crosshair; touch-action: pan-y; user-select: none; -webkit-user-select: none; }
.cursor { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--ink); opacity: .6;
          pointer-events: none; }
.dot { pointer-events: none; background: var(--color); box-shadow: 0 0 0 1.5px var(--paper); }
.dot.vehicle { background: var(--c1); width: 11px; height: 11px; margin: -5.5px; }
.brush { position: absolute; top: 0; bottom: 0; background: var(--c0); opacity: .18; pointer-events: none; }
.time-bars { position: fixed; right: 1rem; bottom: 1rem; z-index: 2; display: grid; gap: .4rem; justify-items: end; }
.time-bar { display: flex; gap: .7rem; align-items: center;
            padding: .35rem .8rem; border: 1px solid var(--line); border-radius: 2rem; background: var(--soft);
            font-size: .85rem; font-variant-numeric: tabular-nums; box-shadow: 0 2px 8px rgb(0 0 0 / .25); }
.time-bar[hidden], .time-bar button[hidden], .cursor[hidden], .dot[hidden] { display: none; }
.time-bar button { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem;
                   background: var(--paper); cursor: pointer; }
.verdict { display: inline-block; font-size: 1.05rem; font-weight: 600; padding: .35rem .9rem; border-radius: .4rem;
           background: var(--soft); margin: .4rem 0; }
.good { color: var(--good); } .bad { color: var(--bad); }
.verdict.good { background: var(--good-soft); } .verdict.bad { background: var(--bad-soft); }
.warnings { border-left: 4px solid var(--c4); background: var(--soft); padding: .5rem 1rem .5rem 2rem; margin: .8rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: .7rem; margin: .7rem 0; }
.tile { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; background: var(--soft); break-inside: avoid; }
.tile h3 { font-size: .85rem; font-weight: 400; color: var(--muted); margin: 0; }
.tile dl { display: grid; grid-template-columns: auto 1fr auto; gap: 0 .7rem; align-items: baseline; margin: .1rem 0 0; }
.tile dt { font-size: .85rem; }
.tile dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; font-size: 1.15rem; font-weight: 600; }
.tile dd.aside { font-size: .85rem; font-weight: 400; color: var(--muted); min-width: 3.2rem; }
td.wrap { white-space: normal; min-width: 14rem; max-width: 42rem; overflow-wrap: anywhere; }
@media (max-width: 56rem) {
  body { margin: 1rem auto; padding: 0 .8rem; }
  .charts { grid-template-columns: minmax(0, 1fr); gap: .8rem; }
  .card { padding: .6rem .6rem .5rem; }
  .area { height: 11.5rem; margin-left: 3rem; }
  th, td { padding: .2rem .5rem; }
  .wide td:first-child, .wide th:first-child { position: sticky; left: 0; z-index: 1; background: var(--paper);
                                               white-space: normal; overflow-wrap: anywhere;
                                               min-width: 7.5rem; max-width: 10.5rem; }
  .wide th:first-child { background: var(--soft); }
  caption { white-space: normal; }
}
@media (max-width: 40rem) {  /* a figure in three lines instead of a table that is wider than the screen */
  .figures, .figures tbody { display: block; }
  .figures thead { display: none; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(10.2rem, 1fr)); gap: .5rem; }
  .tile { padding: .4rem .6rem; }
  .tile dl { gap: 0 .4rem; }
  .tile dd { font-size: 1.05rem; }
  .tile dd.aside { min-width: 2.6rem; font-size: .78rem; }
  .figures td:first-child { position: static; z-index: auto; background: none; max-width: none; }
  .figures tr { display: grid; grid-template-columns: auto auto 1fr; gap: 0 .4rem; padding: .35rem 0;
                border-bottom: 1px solid var(--line); }
  .figures td { border: 0; padding: 0; white-space: normal; }
  .figures td:empty { display: none; }
  .figures td:nth-child(1) { grid-area: 1 / 1 / 2 / 4; font-weight: 600; padding-right: 5.5rem; }
  .figures td:nth-child(2) { grid-area: 2 / 1; }
  .figures td:nth-child(3) { grid-area: 2 / 2; }
  .figures td:nth-child(4) { grid-area: 2 / 3; color: var(--muted); }
  .figures td:nth-child(5) { grid-area: 1 / 1 / 2 / 4; text-align: right; }
  .figures td:nth-child(6) { grid-area: 3 / 1 / 4 / 4; min-width: 0; font-size: .8rem; color: var(--muted); }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #c4c8cc; --soft: #f4f6f8; --c0: #0072b2; --c1: #d55e00;
          --c2: #00855f; --c3: #b8579a; --c4: #a86f00; --c5: #3b8fc4; --c6: #6f6f6f; --c7: #8c564b; --good: #146c43;
          --good-soft: #d8f0e3; --bad: #a61b1b; --bad-soft: #fbdedd; --muted: #5c636a; }
  :root { font-size: 11.5px; }
  body { font-size: 11.5px; padding: 0; }
  .hint { display: none; }
  .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem; }
  .card { break-inside: avoid; }
  .area { height: 10rem; }
  .time-bar, .cursor, .dot, .key b { display: none !important; }
  .verdict, .warnings, th { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace camber::report
