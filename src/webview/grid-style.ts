import { css } from 'lit';

/** The look of the grid of sessions. */
export const gridStyle = css`
  .scroller { overflow: auto; overflow-anchor: none; max-height: min(72vh, 900px); border: 1px solid var(--line); border-radius: 4px; }
  .scroller:focus-visible { outline-offset: -1px; }
  .grid { min-width: 954px; font-variant-numeric: tabular-nums; }
  .cells { display: grid; height: calc(1.45em + 6px); contain: strict; }
  .cells > * { padding: 3px 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .head { position: sticky; top: 0; z-index: 1; color: var(--quiet); border-bottom: 1px solid var(--line); background: var(--vscode-editor-background, Canvas); }
  .head > * { cursor: pointer; user-select: none; }
  .head > * > * { font-size: 12px; }
  [aria-sort='ascending']::after { content: ' ↑'; }
  [aria-sort='descending']::after { content: ' ↓'; }
  [aria-sort] { color: var(--ink); }
  .body { position: relative; contain: layout style; }
  .item { position: absolute; top: 0; left: 0; right: 0; contain: layout style; }
  .item:hover { background: var(--vscode-list-hoverBackground, var(--raised)); }
  .item > .cells { cursor: pointer; }
  .own { color: var(--quiet); }
  .numeric { text-align: right; }
  .state { display: inline-flex; align-items: center; gap: 7px; max-width: 100%; }
  .state bdi { overflow: hidden; text-overflow: ellipsis; }
  .place { margin-right: 8px; font-family: var(--vscode-font-family, system-ui, sans-serif); }
  .empty { padding: 14px 12px; }
  [role='gridcell']:focus-visible, [role='columnheader']:focus-visible { outline: 1px solid var(--focus); outline-offset: -1px; }
`;
