/** Colours of the charts: distinct for who sees few colours, and of enough contrast on paper and on dark screens. */
export const chartStyle = `
:root { --ink-0: #2f6fde; --ink-1: #c2570c; --ink-2: #0f7f6e; --ink-3: #8e44c9; --ink-4: #9a7300; --ink-5: #c4314b; --on-ink: #fff; }
@media screen and (prefers-color-scheme: dark) { :root { --ink-0: #78a6ff; --ink-1: #ff9f5a; --ink-2: #4fd1b5; --ink-3: #cf9bff; --ink-4: #e8c44d; --ink-5: #ff7b8d; --on-ink: #10131a; } }
.ink-0 { --ink-own: var(--ink-0); } .ink-1 { --ink-own: var(--ink-1); } .ink-2 { --ink-own: var(--ink-2); } .ink-3 { --ink-own: var(--ink-3); } .ink-4 { --ink-own: var(--ink-4); } .ink-5 { --ink-own: var(--ink-5); }
.chart { margin: 1.25rem 0 1.5rem; padding: 1rem 1.1rem .8rem; border: 1px solid var(--line); border-radius: .6rem; break-inside: avoid; } .chart figcaption { font-weight: 600; margin-bottom: .5rem; }
.chart .scroll > svg { display: block; width: 100%; min-width: 34rem; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
.grid line { stroke: var(--line); stroke-width: 1; } .axis line { stroke: var(--quiet); stroke-width: 1; } .axis text { fill: var(--quiet); font-variant-numeric: tabular-nums; }
.line { fill: none; stroke: var(--ink-own); stroke-width: 2.25; stroke-linejoin: round; stroke-linecap: round; } .knot { fill: var(--ink-own); stroke: var(--paper); stroke-width: 1.5; } .band { fill: var(--ink-own); opacity: .16; } .name { fill: var(--ink-own); font-weight: 600; }
.dot { fill: var(--ink-0); opacity: .38; } .dot.unheard { fill: none; stroke: var(--quiet); opacity: .8; } .guide { fill: none; stroke: var(--quiet); stroke-width: 1.25; stroke-dasharray: 2 4; }
.mark-line { stroke-width: 1.5; } .mark-line.pick { stroke: var(--good); stroke-width: 2; } .mark-line.knee { stroke: var(--quiet); stroke-dasharray: 6 4; } .mark-line.limit { stroke: var(--bad); stroke-dasharray: 8 3 2 3; } .mark-line.inflection { stroke: var(--warn); stroke-dasharray: 3 3; }
.mark-label { fill: var(--quiet); font-weight: 600; } .mark-label.pick { fill: var(--good); } .mark-label.limit { fill: var(--bad); } .mark-label.inflection { fill: var(--warn); } .stretch.pick { fill: var(--good); opacity: .15; }
.bar-row .answered { fill: var(--ink-0); opacity: .55; } .bar-row.chosen .answered { opacity: 1; } .bar-row .failed { fill: var(--bad); } .bar-row.chosen text { font-weight: 600; } .group { font-weight: 600; } .bar-name { fill: var(--quiet); } .bar-row.chosen .bar-name { fill: var(--ink); } .bar-value, .part-value { font-variant-numeric: tabular-nums; } tspan.bad { fill: var(--bad); }
.part { fill: var(--ink-own); } .part-value { fill: var(--on-ink); font-weight: 600; } .legend { margin: .5rem 0 0; color: var(--quiet); font-size: .85rem; } .legend .key { margin-right: .8rem; white-space: nowrap; } .legend .key::before { background: var(--ink-own); margin-left: 0; }
.drawn { display: inline-block; margin-right: 1.1rem; } .swatch { width: 22px; height: 12px; margin-right: .4rem; vertical-align: -1px; }
@media print { .chart .scroll > svg { min-width: 0; } }
`;
