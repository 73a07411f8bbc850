/** The report's own style sheet; colours follow the reader's system, and paper is always light. */
export const style = `
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
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .93rem; } th, td { padding: .4rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; } thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } tr.held td { background: color-mix(in srgb, var(--warn) 12%, transparent); } tr.chosen td { background: color-mix(in srgb, var(--good) 14%, transparent); font-weight: 600; } .query { word-break: break-word; }
.loads td { width: 30%; font-variant-numeric: tabular-nums; } .loads tbody th { font-weight: 400; } .bar { display: block; width: 100%; height: .3rem; margin-top: .25rem; fill: var(--accent); }
.headroom { margin: .75rem 0 1rem; } .headroom svg { display: block; width: 100%; height: .8rem; border-radius: .4rem; } .headroom figcaption { margin-top: .4rem; font-size: .9rem; }
.key::before { content: ''; display: inline-block; width: .7em; height: .7em; border-radius: .2em; margin: 0 .35em 0 .5em; background: var(--key); } .room { fill: var(--room); } .active { --key: var(--accent); fill: var(--accent); } .idle-in-transaction { --key: var(--warn); fill: var(--warn); } .idle { --key: var(--good); fill: var(--good); } .other { --key: var(--quiet); fill: var(--quiet); }
.verdict { font-size: 1.35rem; margin-bottom: .25rem; } .verdict code { color: var(--good); font-weight: 600; } .curve { margin: 1rem 0; min-height: 1px; break-inside: avoid; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .87rem; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } h2 { break-after: avoid; } .line { white-space: pre-wrap; } .scroll, .code { overflow: visible; } }
`;
