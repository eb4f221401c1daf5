/** The style of the page. Plots take their colours from it, so that they follow the dark mode and the printer. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c1d21, #e9e9ec);
  --quiet: light-dark(#5b5e68, #a9acb6);
  --line: light-dark(#d9dce3, #393c45);
  --plate: light-dark(#f5f6f8, #1f2127);
  --page: light-dark(#ffffff, #16171b);
  --accent: light-dark(#2456c9, #8fb1ff);
  --bar: light-dark(#5b86e5, #6f97ee);
  --track: light-dark(#e6eaf3, #2a2d36);
  --strong: light-dark(#27427f, #b7caff);
  --median: light-dark(#e0560b, #ff8f4d);
  --band: light-dark(#f3c9ab, #6b4526);
  --grid: light-dark(#e3e6ec, #30333c);
  --warning: light-dark(#8a4a00, #f2b45f);
  --warning-plate: light-dark(#fff1de, #3a2b14);
  font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--page);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--page); }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.125rem; margin: 0; }
h4 { font-size: .875rem; font-weight: 600; margin: 0 0 .25rem; color: var(--quiet); }
p { margin: .25rem 0; max-width: 75ch; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); gap: .75rem; margin: 1.25rem 0 0; padding: 0; list-style: none; }
.tiles li { padding: .75rem 1rem; background: var(--plate); border: 1px solid var(--line); border-radius: .75rem; }
.tiles strong { display: block; font-size: 1.5rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--quiet); font-size: .875rem; }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .8125rem; line-height: 1.5; white-space: nowrap; border: 1px solid var(--line); color: var(--quiet); background: var(--page); }
.badge.warning { color: var(--warning); background: var(--warning-plate); border-color: transparent; }
.type { font-family: ui-monospace, monospace; font-size: .8125rem; color: var(--quiet); overflow-wrap: anywhere; }
.found { margin: 0; padding: 0; list-style: none; }
.found li { display: grid; grid-template-columns: minmax(6rem, 11rem) 1fr; gap: .25rem 1rem; padding: .375rem 0; border-bottom: 1px solid var(--line); }
.found li.all { grid-template-columns: 1fr; }
.found li > * { min-width: 0; overflow-wrap: anywhere; }
details { margin: .5rem 0; }
summary { cursor: pointer; width: fit-content; color: var(--accent); font-size: .875rem; padding: .25rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 400; }
thead th { line-height: 1.75; color: var(--quiet); font-size: .875rem; white-space: nowrap; vertical-align: bottom; }
.number { text-align: right; }
td.number, .bounds span { white-space: nowrap; }
.bounds { text-align: right; color: var(--quiet); }
thead button { all: unset; cursor: pointer; position: relative; line-height: 1.75; }
thead button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
thead button::after { content: ""; display: inline-block; width: .5rem; height: .75rem; position: absolute; left: calc(100% + .25rem); top: .375rem; background: var(--line); clip-path: polygon(50% 0, 100% 40%, 0 40%, 0 60%, 100% 60%, 50% 100%, 0 60%, 0 40%); }
thead .number button::after { left: auto; right: calc(100% + .25rem); }
thead [aria-sort] button::after { background: var(--accent); }
[aria-sort=ascending] button::after { clip-path: polygon(50% 0, 100% 60%, 0 60%); }
[aria-sort=descending] button::after { clip-path: polygon(50% 100%, 100% 40%, 0 40%); }
.search { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 0 0 .75rem; }
.search[hidden] { display: none; }
.search label { display: grid; gap: .125rem; font-size: .875rem; color: var(--quiet); min-width: 0; }
.search label:first-child { flex: 1 1 14rem; max-width: 24rem; }
input, select { min-height: 2.5rem; width: 100%; padding: .25rem .75rem; font: inherit; font-size: 1rem; color: var(--text); background: var(--page); border: 1px solid var(--quiet); border-radius: .5rem; }
.search output { font-size: .875rem; color: var(--quiet); padding-bottom: .5rem; }
#list { width: 100%; table-layout: fixed; }
#list .c-i { width: 3.25rem; }
#list .c-share { width: 5.5rem; }
#list .c-count { width: 7rem; }
#list .c-value { width: 9.5rem; }
#list .c-shape { width: 8rem; }
#list :is(th, td):last-child { padding-left: 1rem; padding-right: 0; }
#list .name { font-weight: 600; text-decoration: none; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
#list a.name:hover { text-decoration: underline; }
#list .clip { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
#list td.value { text-align: right; }
#list tbody tr:hover { background: var(--plate); }
.marks { display: flex; flex-wrap: wrap; gap: .125rem .5rem; align-items: baseline; }
.spark { display: block; width: 6rem; height: 1.5rem; }
.spark path, .meter rect + rect { fill: var(--bar); }
.card { margin: 1rem 0; padding: 1rem; background: var(--plate); border: 1px solid var(--line); border-radius: .75rem; content-visibility: auto; contain-intrinsic-size: auto 24rem; scroll-margin-top: 1rem; }
.card:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.card header { display: flex; flex-wrap: wrap; gap: .125rem .75rem; align-items: baseline; margin-bottom: .75rem; }
.card header .back { margin-left: auto; font-size: .875rem; }
.card h3 { max-width: 100%; }
.columns { display: grid; grid-template-columns: minmax(0, 25rem) minmax(0, 1fr) minmax(0, 1.15fr); gap: 1rem 2rem; align-items: start; }
.words { grid-template-columns: minmax(0, 1.6fr) minmax(0, 1fr); }
.columns > *, figure { min-width: 0; }
figure { margin: 0 0 .75rem; max-width: 27rem; }
figcaption { font-size: .8125rem; color: var(--quiet); overflow-wrap: anywhere; }
.plot { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; }
.plot path { shape-rendering: crispEdges; }
.plot text { fill: var(--quiet); }
.plot .axis-tick line, .plot .axis-domain line { stroke: var(--quiet); }
.plot .axis-grid line { stroke: var(--grid); }
.facts { max-width: 27rem; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .125rem 1rem; margin: 0 0 .75rem; font-size: .9375rem; font-variant-numeric: tabular-nums; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.card table { width: 100%; margin-bottom: .5rem; font-size: .875rem; }
.card td, .card th { padding-block: .1875rem; }
.card td:last-child, .card th:last-child { padding-right: 0; }
.quantiles th:first-child { width: 3.5rem; }
.times { font-size: .8125rem; }
.times td.number { white-space: normal; }
.top { table-layout: fixed; }
.top .c-bar { width: 18%; }
.words .c-bar { width: 40%; }
.top .c-count { width: 4.75rem; }
.top .c-share { width: 3.75rem; }
.top bdi { white-space: pre-wrap; }
.meter { display: block; width: 100%; height: .75rem; margin-top: .3rem; border-radius: .125rem; }
.meter rect:first-child { fill: var(--track); }
.shapes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .5rem 2rem; align-items: start; margin-top: .5rem; }
.matrix { max-width: 52rem; }
.matrix.few { max-width: 27rem; }
.plot text[fill="#fff"] { fill: #fff; }
.plot text[fill="#1c1d21"] { fill: #1c1d21; }
.side { display: inline-block; width: 1.5rem; height: .75rem; margin-left: 1rem; vertical-align: middle; background: var(--bar); }
.side.a { margin-left: 0; }
.side.b { height: 2px; background: var(--median); }
.twin { display: block; width: 100%; height: .875rem; margin-top: .2rem; }
.twin .a { fill: var(--bar); }
.twin .b { fill: var(--median); }
.sides th { white-space: nowrap; }
.sides td.number { white-space: normal; }
.sides .moved td:last-child { font-weight: 600; }
.bins { max-height: 20rem; overflow: auto; }
.bins:focus-visible { outline-offset: -3px; }
.pairs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(27rem, 100%), 1fr)); gap: 1rem; }
.pairs figure { max-width: 34rem; }
.pairs .card { margin: 0; contain-intrinsic-size: auto 30rem; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .875rem; }
[hidden] { display: none !important; }
@media (max-width: 62rem) {
  .columns { grid-template-columns: minmax(0, 27rem) minmax(0, 1fr); }
  .columns > :last-child:nth-child(3) { grid-column: 1 / -1; }
}
@media (max-width: 56rem) { #list .wide { display: none; } }
@media (max-width: 44rem) {
  .top bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; overflow: hidden; }
  .columns, .words { grid-template-columns: minmax(0, 1fr); }
  .columns > :last-child:nth-child(3) { grid-column: auto; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .tiles strong { font-size: 1.25rem; }
  .tiles li:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .found li { grid-template-columns: 1fr; }
  .card { padding: .75rem; }
  #list .narrow { display: none; }
  #list .c-share { width: 4rem; }
  #list .c-count { width: 5rem; }
  #list .c-shape { width: 6rem; }
  .words .c-bar { width: 24%; }
  .spark { width: 5rem; }
  th, td { padding-right: .5rem; }
}
@media print {
  :root { color-scheme: light; font-size: 10pt; }
  body { max-width: none; padding: 0; }
  .search, .back, .skip, summary { display: none; }
  .card { content-visibility: visible; }
  .card, #list tbody tr { break-inside: avoid; }
  .card { background: none; }
  * { print-color-adjust: exact; }
}
`;
