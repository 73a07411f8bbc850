import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import type { SizeResult } from '../probe/result.ts';
import { describeTransactions } from '../probe/transaction-text.ts';
import { ask } from './host.ts';
import { marksOf } from './curve-options.ts';
import { line, longestSentence } from './database-text.ts';
import { formatBytes, formatNumber } from './format.ts';
import { latencyGroups } from './latency-bars.ts';
import { theme } from './theme.ts';

/** Everything that a probe of pool sizes found, for a wide page. */
export class ProbeReport extends LitElement {
  static override properties = { result: { attribute: false } };
  static override styles = [
    theme,
    css`
    .notes .bad { color: var(--error); }
    .actions { display: flex; flex-wrap: wrap; gap: 6px; margin: 12px 0 4px; }
    .parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 20px 40px; margin-top: 16px; }
    .part { min-width: 0; }
    h3 { margin: 0 0 6px; font-size: 13px; font-weight: 600; }
    h3 .quiet { font-weight: 400; }
    .scroller { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { padding: 3px 14px 3px 0; text-align: left; border-bottom: 1px solid var(--line); font-weight: 400; vertical-align: top; }
    thead th { color: var(--quiet); font-size: 12px; white-space: nowrap; }
    .number { text-align: right; white-space: nowrap; }
    .binds { font-weight: 700; }
    td { overflow-wrap: anywhere; }
    ul { margin: 0; padding-left: 18px; max-width: 90ch; }
    li, .fact { overflow-wrap: anywhere; }
    .fact { margin: 6px 0; max-width: 75ch; }
    .notice { margin-top: 8px; }
  `,
  ];
  declare result: SizeResult;

  override render(): TemplateResult {
    const { sizes, slices } = this.result;
    return html`<div class="actions">${this.#buttons()}</div>
      <div class="parts">
        ${
          sizes.length === 0
            ? nothing
            : html`<section class="part"><h3>Throughput by pool size, modelled</h3>
          <poolguard-curve .sizes=${sizes} .slices=${slices} .marks=${marksOf(this.result)} .height=${260}></poolguard-curve></section>`
        }
        ${this.#statements()}${this.#latency()}${this.#limits()}${this.#processes()}${this.#memory()}${this.#guesses()}${this.#notes()}
      </div>`;
  }

  #buttons(): TemplateResult {
    const { recommendation } = this.result;
    const button = (
      kind: 'copy-snippet' | 'copy-pooler-settings' | 'write-options' | 'export-probe',
      title: string,
    ) =>
      html`<poolguard-button secondary class=${kind} @click=${() => ask(this, { kind })}>${title}</poolguard-button>`;
    return html`${recommendation === null ? nothing : html`${button('write-options', 'Write into the code…')}${button('copy-snippet', 'Copy snippet')}`}
      ${(recommendation?.defaultPoolSize ?? null) === null ? nothing : button('copy-pooler-settings', 'Copy PgBouncer settings')}
      ${button('export-probe', 'Export…')}`;
  }

  /** Which statement of several limits the size. */
  #statements(): TemplateResult | typeof nothing {
    const { statementLoads, workload } = this.result;
    if (statementLoads === null || statementLoads === undefined) return nothing;
    const { alone, from, binding, statements } = statementLoads;
    const ms = (value: number | null) => (value === null ? '–' : `${formatNumber(value)} ms`);
    return html`<section class="part statements"><h3>Which statement limits it</h3>
      <p class="fact">${binding === null ? 'No single statement does.' : line(binding.because, longestSentence)}</p>
      <div class="scroller"><table>
        <thead><tr><th scope="col">Statement</th><th scope="col" class="number">With ${alone}</th><th scope="col" class="number">With ${from} and more</th><th scope="col" class="number">Of the time</th><th scope="col" class="number">Of the queueing</th></tr></thead>
        <tbody>${statements.map(
          (
            load,
            at,
          ) => html`<tr class=${binding?.at === at ? 'binds' : ''}><th scope="row"><bdi>${line(workload.statements[at]?.text ?? '')}</bdi>${binding?.at === at ? ' (limits)' : ''}</th>
          <td class="number">${ms(load.aloneMs)}</td><td class="number">${ms(load.meanMs)}</td><td class="number">${percent(load.timeShare)}</td><td class="number">${percent(load.queueShare)}</td></tr>`,
        )}</tbody></table></div></section>`;
  }

  /** processes × max against the server's room. */
  #processes(): TemplateResult | typeof nothing {
    const { processes: table } = this.result;
    if (table === null || table === undefined) return nothing;
    return html`<section class="part processes"><h3>Several processes <span class="quiet">of ${table.free} connections that the server has for them</span></h3>
      <div class="scroller"><table>
        <thead><tr><th scope="col" class="number">Processes</th><th scope="col" class="number">max each</th><th scope="col" class="number">Connections</th><th scope="col" class="number">Left</th><th scope="col" class="number">Through a pooler</th><th scope="col" class="number">Left</th></tr></thead>
        <tbody>${table.rows.map(
          ({
            processes,
            isAsked,
            direct,
            pooled,
          }) => html`<tr class=${isAsked ? 'binds' : ''}><th scope="row" class="number">${processes}</th>
          <td class="number">${direct.max}</td><td class="number">${direct.connections}</td><td class="number">${direct.left < 0 ? `${direct.left} (does not fit)` : direct.left}</td><td class="number">${pooled.backends}</td><td class="number">${pooled.left}</td></tr>`,
        )}</tbody></table></div>
      <p class="fact quiet">${table.whole === null ? 'The limit is one process, not the database: each process has the measured size for itself.' : `${table.whole} connections are worth having for all processes together.`}</p></section>`;
  }

  #latency(): TemplateResult | typeof nothing {
    const { validation } = this.result;
    const groups = latencyGroups(validation);
    if (validation === null || groups.length === 0) return nothing;
    const failed = groups
      .flatMap(({ load: { errors } }) => Object.entries(errors))
      .map(([code, times]) => `${times} × ${line(code)}`);
    const isShort = groups.some(({ load: { latency } }) => latency?.p99Ms === null);
    return html`<section class="part"><h3>Latency of a real pool <span class="quiet">of ${validation.max}</span></h3>
      <poolguard-latency .validation=${validation} .height=${260}></poolguard-latency>
      ${isShort ? html`<p class="quiet fact">p95 needs 200 requests, p99 1,000.</p>` : nothing}
      ${failed.length === 0 ? nothing : html`<p class="notice">Failed, and in no figure: ${failed.join(', ')}.</p>`}</section>`;
  }

  #limits(): TemplateResult | typeof nothing {
    const {
      recommendation,
      cap,
      limits: { pools, limits, binding },
    } = this.result;
    return html`<section class="part limits"><h3>Limits <span class="quiet">${pools === 1 ? 'for one pool' : `for ${pools} pools`}</span></h3>
      ${recommendation === null ? nothing : html`<p class="fact">Limited by ${line(recommendation.limitedBy, longestSentence)}.</p>`}
      ${
        limits.length === 0
          ? nothing
          : html`<div class="scroller"><table>
        <thead><tr><th scope="col">Limit</th><th scope="col" class="number">Each pool</th><th scope="col">How</th></tr></thead>
        <tbody>${limits.map(
          (
            limit,
          ) => html`<tr class=${limit.kind === binding?.kind && limit.name === binding.name ? 'binds' : ''}><th scope="row">${line(limit.name)}${limit.kind === binding?.kind && limit.name === binding.name ? ' (binds)' : ''}</th>
          <td class="number">${limit.perPool}</td><td>${line(limit.arithmetic, longestSentence)}</td></tr>`,
        )}</tbody></table></div>`
      }
      <p class="fact quiet">Sizes up to ${cap.size} were tried: ${line(cap.because, longestSentence)}</p></section>`;
  }

  #memory(): TemplateResult | typeof nothing {
    const {
      memory,
      recommendation,
      limits: { pools },
    } = this.result;
    if (memory === null) return nothing;
    const connections = recommendation === null ? null : recommendation.max * pools;
    return html`<section class="part memory"><h3>Memory on the server</h3>
      <p class="fact">${formatBytes(memory.bytes)} for each connection${connections === null ? '' : html`: <strong>${connections} × ${formatBytes(memory.bytes)} = ${formatBytes(connections * memory.bytes)}</strong>`}.</p>
      ${memory.workMemBytes === null ? nothing : html`<p class="fact">Each sort or hash of a running statement may take work_mem, ${formatBytes(memory.workMemBytes)}, on top.</p>`}
      <p class="fact quiet">Counted: ${line(memory.method, longestSentence)}.</p></section>`;
  }

  #guesses(): TemplateResult | typeof nothing {
    const {
      advice: { guesses, observed },
    } = this.result;
    if (guesses.length === 0 && observed === null) return nothing;
    return html`<section class="part guesses"><h3>Starting guesses <span class="quiet">of formulas, which measure nothing</span></h3>
      <div class="scroller"><table><thead><tr><th scope="col">Formula</th><th scope="col" class="number">Size</th><th scope="col">How</th></tr></thead>
        <tbody>${guesses.map(({ name, arithmetic, size: [low, high], source }) => html`<tr title=${line(source)}><th scope="row">${line(name)}</th><td class="number">${low === high ? low : `${low}–${high}`}</td><td>${line(arithmetic)}</td></tr>`)}</tbody></table></div>
      ${observed === null ? nothing : html`<p class="fact">${observed.meanActive === null ? nothing : html`By the server's own statistics ${formatNumber(observed.meanActive)} sessions ran a statement at the same time, on average. `}${Math.round(observed.busyShare * 100)} % of the time in transactions was spent in statements.</p>`}</section>`;
  }

  #notes(): TemplateResult | typeof nothing {
    const { notes, transactions } = this.result;
    const told = transactions === undefined ? null : describeTransactions(transactions);
    const failed = Object.entries(this.result.errors).map(
      ([code, times]) => `${times} × ${line(code)}`,
    );
    if (notes.length + failed.length === 0 && told === null) return nothing;
    return html`<section class="part notes"><h3>To keep in mind</h3><ul>
      ${failed.length === 0 ? nothing : html`<li>Statements and connections that failed: ${failed.join(', ')}.</li>`}
      ${told === null ? nothing : html`<li class=${told.isAlarm ? 'bad' : ''}>${told.sentence}</li>`}
      ${notes.map((note) => html`<li>${line(note, longestSentence)}</li>`)}</ul></section>`;
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
