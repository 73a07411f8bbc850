import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ask } from './host.ts';
import { formatRoughAge } from './format.ts';
import { KeepFocus } from './keep-focus.ts';
import type {
  ShownCounters,
  ShownHeld,
  ShownMistake,
  ShownPlace,
  ShownPool,
  ShownVerdict,
} from './running-state.ts';
import { sparkline } from './sparkline.ts';
import { theme } from './theme.ts';

/** One pool of a running application: its counters, how it fares, who holds its clients for long and what was done wrong with them. */
export class RunningPool extends LitElement {
  static override properties = {
    pool: { attribute: false },
    hasEnded: { attribute: false },
    now: { attribute: false },
  };
  static override styles = [
    theme,
    css`
    .head { display: flex; align-items: baseline; gap: 8px; }
    .name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .name b { font-weight: 600; }
    .of { flex: none; font-variant-numeric: tabular-nums; color: var(--quiet); }
    .bar { display: flex; gap: 1px; height: 8px; margin: 6px 0 7px; overflow: hidden; border-radius: 4px; background: var(--raised); outline: 1px solid var(--vscode-contrastBorder, transparent); }
    .part { background: var(--dot); min-width: 0; }
    ul { margin: 0; padding: 0; list-style: none; }
    .counters { display: flex; flex-wrap: wrap; gap: 2px 14px; }
    .counters li { display: flex; align-items: center; gap: 5px; white-space: nowrap; }
    .counters .numbers { font-weight: 600; }
    .counters .none { color: var(--quiet); font-weight: 400; }
    svg { display: block; width: 100%; height: 26px; margin-top: 6px; }
    polyline { fill: none; stroke: var(--curve); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    polygon { fill: color-mix(in srgb, var(--curve) 15%, transparent); }
    .limit { stroke: var(--state-hidden); stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
    .verdict { display: flex; gap: 7px; margin-top: 8px; }
    .verdict .mark { flex: none; width: 14px; text-align: center; font-weight: 700; color: var(--state-active); }
    .verdict.attention { padding: 6px 10px; border-radius: 3px; background: var(--raised); border: 1px solid var(--vscode-contrastBorder, transparent); }
    .verdict.attention .mark { color: var(--vscode-editorWarning-foreground, var(--state-in-transaction)); }
    h4 { display: flex; justify-content: space-between; gap: 8px; margin: 10px 0 3px; font-size: 12px; font-weight: 600; }
    h4 .quiet { font-weight: 400; }
    .rows { display: grid; gap: 5px; }
    .rows li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 8px; align-items: baseline; }
    .count { min-width: 2ch; text-align: right; font-weight: 600; font-variant-numeric: tabular-nums; }
    .age { font-variant-numeric: tabular-nums; white-space: nowrap; }
    .step { grid-column: 2 / 4; font-size: 12px; color: var(--quiet); overflow-wrap: anywhere; }
    .link { overflow-wrap: anywhere; }
    .gone { filter: grayscale(1); }
  `,
  ];
  declare pool: ShownPool;
  /** The counters of an application that has ended are old. */
  declare hasEnded: boolean;
  /** Milliseconds since 1970 by the application's clock. */
  declare now: number;

  constructor() {
    super();
    this.hasEnded = false;
    this.now = 0;
    new KeepFocus(this);
  }

  override render(): TemplateResult {
    const { name, library, server, madeAt, counters, verdict, held, mistakes } = this.pool;
    return html`<div data-pool=${name}>
      <div class="head"><span class="name" title=${[name, library, server].filter((part) => part !== null).join(', ')}>${madeAt === null ? html`<b><bdi>${name}</bdi></b>` : this.#link(madeAt, html`<b><bdi>${name}</bdi></b>`)}${[library, server].map((part) => (part === null ? nothing : html`<span class="quiet"> · <bdi>${part}</bdi></span>`))}</span>
        ${counters === null ? nothing : html`<span class="of">${counters.total} of max ${counters.max}</span>`}</div>
      ${counters === null ? html`<p class="quiet">No figures yet.</p>` : this.#figures(counters)}
      ${verdict === null || this.hasEnded ? nothing : verdictLine(verdict)}
      ${held.length === 0 ? nothing : this.#held(held)}
      ${
        mistakes.length === 0
          ? nothing
          : html`<h4>Mistakes</h4><ul class="rows mistakes">${repeat(
              mistakes,
              ({ key }) => key,
              (mistake) => this.#mistake(mistake),
            )}</ul>`
      }
    </div>`;
  }

  #figures({ total, idle, waiting, max }: ShownCounters): TemplateResult {
    const used = Math.max(0, total - idle);
    const { demand } = this.pool;
    return html`<div class=${this.hasEnded ? 'gone' : ''}>
      <div class="bar" role="meter" aria-label="Clients in use" aria-valuemin="0" aria-valuemax=${Math.max(max, used)} aria-valuenow=${used}>
        <span class="part" data-state="active" .style=${grow(used)}></span><span class="part" data-state="idle" .style=${grow(idle)}></span><span .style=${grow(Math.max(0, max - total))}></span></div>
      <ul class="counters" aria-label="Clients and callers">
        ${counter('active', used, 'in use')}${counter('idle', idle, 'idle')}${counter('waiting', waiting, 'waiting')}</ul>
      ${demand.length < 3 ? nothing : sparkline(demand, Math.max(max, ...demand), `Clients in use and callers waiting in the last samples, ${Math.min(...demand)} to ${Math.max(...demand)}, with max at ${max}`, max)}</div>`;
  }

  #held(held: readonly ShownHeld[]): TemplateResult {
    const { out } = this.pool;
    return html`<h4><span>${this.hasEnded ? `${out === 1 ? 'A client' : `${out} clients`} never released` : `${out} checked out for long`}</span>${this.hasEnded ? nothing : html`<span class="quiet" aria-hidden="true">longest</span>`}</h4>
      <ul class="rows held">${repeat(
        held,
        ({ place }) => place?.key ?? '',
        (group) => this.#group(group),
      )}</ul>`;
  }

  #group({ count: clients, since, place, caller, backends }: ShownHeld): TemplateResult {
    const age = formatRoughAge(Math.max(0, this.now - since));
    return html`<li title=${backends === '' ? '' : `Backend ${backends}`}><span class="count">${clients}</span>
      <span><span class="visually-hidden"> out from </span>${place === null ? html`<span class="quiet">the place is not known: stacks are off</span>` : this.#link(place)}</span>
      <span class="age">${this.hasEnded ? nothing : html`<span class="visually-hidden"> ${clients === 1 ? 'for' : 'longest'} </span>${age}`}</span>
      ${caller === null ? nothing : html`<span class="step">called from ${this.#link(caller)}</span>`}</li>`;
  }

  #mistake({ words, count: times, steps }: ShownMistake): TemplateResult {
    const [misuse, ...before] = steps;
    return html`<li><span class="count" aria-hidden="true">${times > 1 ? `${times}×` : '!'}</span>
      <span>${words}${misuse === undefined ? nothing : html` at ${this.#link(misuse.place)}`}</span><span class="visually-hidden">${times > 1 ? `${times} times` : ''}</span>
      ${before.map((step) => html`<span class="step">${step.words} ${this.#link(step.place)}</span>`)}</li>`;
  }

  #link(
    { key, label, title }: ShownPlace,
    content: TemplateResult = breakable(label),
  ): TemplateResult {
    return html`<button class="link" title=${title} @click=${() => ask(this, { kind: 'code-place', key })}>${content}</button>`;
  }
}

/** A path that is too long for its line ends the line after a slash. */
function breakable(label: string): TemplateResult {
  return html`${label.split('/').map((part, index) => (index === 0 ? part : html`/<wbr />${part}`))}`;
}

function counter(state: string, value: number, label: string): TemplateResult {
  return html`<li data-state=${value === 0 ? 'hidden' : state}><span class="dot"></span><span class="numbers ${value === 0 ? 'none' : ''}">${value}</span><span class="quiet">${label}</span></li>`;
}

function verdictLine({ isHealthy, sentence }: ShownVerdict): TemplateResult {
  return html`<p class="verdict ${isHealthy ? 'healthy quiet' : 'attention'}"><span class="mark" aria-hidden="true">${isHealthy ? '✓' : '!'}</span><span>${sentence}</span></p>`;
}

/** Assigning text to an element's `style` property is not inline style, and so allowed by the content security policy. */
function grow(share: number): string {
  return `flex: ${share} 1 0px`;
}
