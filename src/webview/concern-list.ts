import { LitElement, css, html, svg, type TemplateResult } from 'lit';
import type { Concern } from '../activity/concern.ts';
import { theme } from './theme.ts';

const severities: Readonly<
  Record<Concern['severity'], { readonly word: string; readonly shape: ReturnType<typeof svg> }>
> = {
  critical: {
    word: 'Critical',
    shape: svg`<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"></path><path class="mark" d="M8 4v5M8 11v1.4"></path>`,
  },
  warning: {
    word: 'Warning',
    shape: svg`<path d="M8 1.5 15 14.5H1z"></path><path class="mark" d="M8 6v4M8 11.6V13"></path>`,
  },
};

/** What passed a threshold, the worst first: told by shape and word, not by colour alone. */
export class ConcernList extends LitElement {
  static override properties = { concerns: { attribute: false } };
  static override styles = [
    theme,
    css`
    ul { display: grid; gap: 4px; margin: 0; padding: 0; list-style: none; }
    li { display: flex; gap: 8px; padding: 6px 10px; border-radius: 3px; background: var(--raised); border: 1px solid var(--vscode-contrastBorder, transparent); }
    svg { flex: none; width: 16px; height: 16px; margin-top: 1px; }
    path { fill: var(--severity); stroke: var(--severity); stroke-linejoin: round; }
    .mark { fill: none; stroke: var(--vscode-sideBar-background, var(--vscode-editor-background, Canvas)); stroke-width: 1.6; }
    .critical { --severity: var(--vscode-editorError-foreground, var(--state-aborted)); }
    .warning { --severity: var(--vscode-editorWarning-foreground, var(--state-in-transaction)); }
    b { font-weight: 600; }
  `,
  ];
  declare concerns: readonly Concern[];

  constructor() {
    super();
    this.concerns = [];
  }

  override render(): TemplateResult {
    return html`<ul aria-label="What needs attention">${this.concerns.map(
      ({ kind, severity, sentence }) => {
        const { word, shape } = severities[severity];
        return html`<li class=${severity} data-concern=${kind}><svg viewBox="0 0 16 16" aria-hidden="true">${shape}</svg><span><b>${word}:</b> ${sentence}</span></li>`;
      },
    )}</ul>`;
  }
}

const ended: Readonly<Record<Concern['kind'], string>> = {
  'idle-in-transaction': 'No session is idle in transaction for too long any more.',
  blocked: 'No session is blocked for too long any more.',
  'long-transaction': 'No transaction is open for too long any more.',
  'little-headroom': 'There is room for connections again.',
  'near-limit': 'No limit of a role or database is near any more.',
  'many-waiting': 'Few sessions wait for locks again.',
  'busy-pool': 'The pools have idle sessions again.',
};

/** What to tell who cannot see the list when it changes: what came, or got worse, and what went. Ages alone are no change. */
export function announce(before: readonly Concern[], now: readonly Concern[]): string {
  const same = (a: Concern) => (b: Concern) => a.kind === b.kind && a.severity === b.severity;
  const came = now
    .filter((concern) => !before.some(same(concern)))
    .map(({ severity, sentence }) => `${severities[severity].word}: ${sentence}`);
  const went = before
    .filter(({ kind }) => !now.some((each) => each.kind === kind))
    .map(({ kind }) => ended[kind]);
  return [...came, ...went].join(' ');
}
