import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './markup.ts';

export interface Page {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: string;
}

/**
 * One HTML page that needs nothing else: no network, no further file, no script. All text of the input is escaped, and the
 * page's content security policy allows exactly the one style sheet that it was made with.
 */
export function renderPage({ title, header, main, footer }: Page): string {
  const report = style + chartStyle;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(report).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted(report)}</style>
</head>
<body>
<header>${header}</header>
<main>
${main}
</main>
<footer>${footer}</footer>
</body>
</html>
`.html;
}

/** The report's own style sheet; colours follow the reader's system, and paper is always light. */
const style = `
:root { color-scheme: light dark; --ink: #1d2129; --quiet: #5c6470; --paper: #fff; --card: #f5f6f8; --line: #dfe2e7; --accent: #2f6fde; --bad: #c4314b; --warn: #a86400; --good: #1f7a43; --room: #e3e6ea; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e4e7ec; --quiet: #9aa3b0; --paper: #14171c; --card: #1d2128; --line: #313741; --accent: #78a6ff; --bad: #ff7b8d; --warn: #e8b055; --good: #6fcf97; --room: #2a2f38; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.5rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 3rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .4rem 0 .8rem; } code { font: .9em ui-monospace, SFMono-Regular, Consolas, monospace; } .quiet { color: var(--quiet); font-weight: 400; } .good { color: var(--good); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
.tiles li { background: var(--card); border-radius: .5rem; padding: .9rem 1rem; } .tiles b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; } .tiles span { color: var(--quiet); font-size: .87rem; }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--warn); border-radius: .4rem; padding: .75rem 1rem; margin: 0 0 .9rem; break-inside: avoid; } .finding.error { border-left-color: var(--bad); }
.severity { color: var(--warn); font-weight: 600; } .error .severity { color: var(--bad); }
.code { background: var(--card); border-radius: .35rem; padding: .4rem 0; overflow-x: auto; } .line { display: flex; align-items: baseline; white-space: pre; min-width: max-content; } .line.here { background: color-mix(in srgb, var(--accent) 14%, transparent); }
.number { flex: none; width: 3.5em; padding-right: 1em; text-align: right; color: var(--quiet); font: .82em/1.6 ui-monospace, monospace; user-select: none; } .gap { color: var(--quiet); padding-left: 2.2em; }
.step { padding: .05rem 1rem .15rem 3.4rem; color: var(--accent); font-size: .9em; } .mark { display: inline-block; min-width: 1.4em; border: 1px solid currentColor; border-radius: 1em; text-align: center; font-size: .8em; line-height: 1.45; }
.elsewhere { margin: .5rem 0 0; padding-left: 1.2rem; font-size: .93em; }
.scroll { overflow-x: auto; position: relative; } table { border-collapse: collapse; width: 100%; font-size: .93rem; } th, td { padding: .4rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; } thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } tr.held td { background: color-mix(in srgb, var(--warn) 12%, transparent); } .query { word-break: break-word; }
.loads td { width: 30%; font-variant-numeric: tabular-nums; } .loads tbody th { font-weight: 400; } .bar { display: block; width: 100%; height: .3rem; margin-top: .25rem; fill: var(--accent); }
.headroom { margin: .75rem 0 1rem; } .headroom svg { display: block; width: 100%; height: .8rem; border-radius: .4rem; } .headroom figcaption { margin-top: .4rem; font-size: .9rem; }
.key::before { content: ''; display: inline-block; width: .7em; height: .7em; border-radius: .2em; margin: 0 .35em 0 .5em; background: var(--key); } .room { fill: var(--room); } .active { --key: var(--accent); fill: var(--accent); } .idle-in-transaction { --key: var(--warn); fill: var(--warn); } .idle { --key: var(--good); fill: var(--good); } .other { --key: var(--quiet); fill: var(--quiet); }
.place { margin-bottom: .6rem; } .statement { margin: .25rem 0; } .statement code { background: var(--card); border-radius: .3rem; padding: .15rem .45rem; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.verdict { --tone: var(--accent); border-left: 4px solid var(--tone); background: color-mix(in srgb, var(--tone) 9%, transparent); border-radius: .4rem; padding: .8rem 1.1rem; margin: 1.25rem 0; break-inside: avoid; } .verdict strong { color: var(--tone); font-size: 1.2rem; } .verdict p { margin: .3rem 0 0; color: var(--ink); } .verdict.good { --tone: var(--good); } .verdict.warn { --tone: var(--warn); } .verdict.bad { --tone: var(--bad); }
.tiles .label { display: block; text-transform: none; } .snippet { margin: 1rem 0; } .snippet figcaption { color: var(--quiet); font-size: .87rem; } .snippet pre { margin: .25rem 0 0; padding: .7rem 1rem; background: var(--card); border-radius: .4rem; overflow-x: auto; } .notes { color: var(--quiet); padding-left: 1.2rem; } p.bad { color: var(--bad); }
.data { margin: .25rem 0 .75rem; width: auto; min-width: min(100%, 36rem); } .data caption { caption-side: top; text-align: left; color: var(--quiet); font-size: .87rem; padding-bottom: .3rem; } .data th, .data td { padding: .35rem .55rem; } .data td { color: var(--ink); } .data td.words { min-width: 9rem; } .data tr.good td { background: color-mix(in srgb, var(--good) 12%, transparent); } .data tr.warn td { background: color-mix(in srgb, var(--warn) 12%, transparent); } .data tr.bad td { background: color-mix(in srgb, var(--bad) 12%, transparent); }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1em; padding: 0 .55em; font-size: .8em; white-space: nowrap; } tr.good .badge { color: var(--good); } tr.warn .badge { color: var(--warn); } tr.bad .badge { color: var(--bad); } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } tbody tr:last-child td { border-bottom: 0; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .87rem; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } h2 { break-after: avoid; } .line { white-space: pre-wrap; } .scroll, .code { overflow: visible; } }
`;

/** Colours of the charts: distinct for who sees few colours, and of enough contrast on paper and on dark screens. */
const chartStyle = `
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
