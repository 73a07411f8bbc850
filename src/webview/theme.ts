import { css } from 'lit';

/** Colours and type of the editor, with fallbacks for a page outside it. */
export const theme = css`
  :host {
    --ink: var(--vscode-foreground, light-dark(#24292f, #d4d4d4));
    --quiet: var(--vscode-descriptionForeground, light-dark(#5b636d, #9da3aa));
    --line: var(--vscode-widget-border, var(--vscode-contrastBorder, light-dark(#d5d9de, #3a3d41)));
    --raised: color-mix(in srgb, var(--ink) 7%, transparent);
    --focus: var(--vscode-focusBorder, light-dark(#0969da, #4c9df3));
    --error: var(--vscode-errorForeground, light-dark(#c42b1c, #f48771));
    --state-active: var(--vscode-charts-green, light-dark(#2e7d32, #89d185));
    --state-waiting: color-mix(in srgb, var(--vscode-charts-red, light-dark(#c42b1c, #f14c4c)) 55%, var(--vscode-charts-yellow, light-dark(#a67c00, #e2c04f)));
    --state-idle: color-mix(in srgb, var(--vscode-charts-blue, light-dark(#1a6fd4, #4c9df3)) 75%, transparent);
    --state-in-transaction: var(--vscode-charts-yellow, light-dark(#a67c00, #e2c04f));
    --state-aborted: var(--vscode-charts-red, light-dark(#c42b1c, #f14c4c));
    --state-hidden: color-mix(in srgb, var(--ink) 35%, transparent);
    --curve: var(--vscode-charts-blue, light-dark(#1a6fd4, #4c9df3));
    --recommended: var(--vscode-charts-green, light-dark(#2e7d32, #89d185));
    display: block;
    color: var(--ink);
    font-family: var(--vscode-font-family, system-ui, sans-serif);
    font-size: var(--vscode-font-size, 13px);
    line-height: 1.45;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  h2 {
    margin: 0 0 8px;
    font-size: 11px;
    font-weight: 600;
    color: var(--quiet);
  }
  p {
    margin: 0;
  }
  .quiet {
    color: var(--quiet);
  }
  .numbers {
    font-variant-numeric: tabular-nums;
  }
  .dot {
    display: inline-block;
    flex: none;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--dot, var(--state-idle));
  }
  .dot.hollow {
    background: none;
    border: 1.5px solid var(--state-hidden);
  }
  [data-state='active'] { --dot: var(--state-active); }
  [data-state='waiting'] { --dot: var(--state-waiting); }
  [data-state='idle'] { --dot: var(--state-idle); }
  [data-state='idleInTransaction'] { --dot: var(--state-in-transaction); }
  [data-state='aborted'] { --dot: var(--state-aborted); }
  [data-state='hidden'],
  [data-state='own'],
  [data-state='other'] { --dot: var(--state-hidden); }
  .title {
    display: flex;
    justify-content: space-between;
    align-items: baseline;
    gap: 8px;
  }
  .title > :last-child {
    font-size: 12px;
  }
  .notice {
    padding: 8px 10px;
    border-left: 3px solid var(--vscode-charts-yellow, #e2c04f);
    background: var(--raised);
    border-radius: 2px;
  }
  .notice.bad {
    border-left-color: var(--state-aborted);
  }
  .link {
    all: unset;
    cursor: pointer;
    border-radius: 2px;
    color: var(--vscode-textLink-foreground, var(--curve));
  }
  .link:hover {
    text-decoration: underline;
  }
  .code {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 12px;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  :focus-visible {
    outline: 1px solid var(--focus);
    outline-offset: 1px;
  }
  @media (forced-colors: active) {
    .dot {
      forced-color-adjust: none;
    }
  }
`;
