import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { intervals, type IntervalSeconds } from '../activity/snapshot.ts';
import { ask } from './host.ts';
import { line, longestSentence } from './database-text.ts';
import { formatRoughAge } from './format.ts';
import { toInterval } from './messages.ts';
import type { ConnectionState } from './to-view.ts';
import { theme } from './theme.ts';

const words: Readonly<Record<ConnectionState['kind'], string>> = {
  untrusted: 'Restricted',
  none: 'Not connected',
  connecting: 'Connecting …',
  live: 'Live',
  paused: 'Paused',
  lost: 'Lost',
};

/** Which database, how fresh the figures are, pause and interval; and the countdown when the connection was lost. */
export class ActivityBar extends LitElement {
  static override properties = {
    connection: { attribute: false },
    intervalSeconds: { attribute: false },
    seenAt: { attribute: false },
    secondsLeft: { state: true },
    now: { state: true },
  };
  static override styles = [
    theme,
    css`
    .place { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
    .line { display: flex; align-items: center; gap: 8px; margin-top: 4px; }
    .status { display: inline-flex; align-items: center; gap: 6px; }
    .fresh { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); font-variant-numeric: tabular-nums; }
    .live { --dot: var(--state-active); }
    .paused, .connecting { --dot: var(--state-in-transaction); }
    .lost { --dot: var(--state-aborted); }
    select { height: 24px; padding: 0 4px; border-radius: 3px; border: 1px solid var(--vscode-settings-dropdownBorder, var(--line));
      color: var(--vscode-settings-dropdownForeground, var(--ink)); background: var(--vscode-settings-dropdownBackground, transparent); font: inherit; font-size: 12px; }
    .notice { margin-top: 8px; overflow-wrap: anywhere; }
    .again { display: flex; justify-content: space-between; align-items: center; gap: 8px; margin-top: 4px; }
  `,
  ];
  declare connection: ConnectionState;
  declare intervalSeconds: IntervalSeconds;
  /** When the figures were taken, by this page's own clock; null before the first. */
  declare seenAt: number | null;
  declare secondsLeft: number;
  declare now: number;
  #timer: number | undefined;

  constructor() {
    super();
    this.seenAt = null;
    this.secondsLeft = 0;
    this.now = Date.now();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = window.setInterval(() => {
      this.now = Date.now();
      this.secondsLeft = Math.max(0, this.secondsLeft - 1);
    }, 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('seenAt')) this.now = Date.now();
    if (changed.has('connection') && this.connection.kind === 'lost')
      this.secondsLeft = Math.ceil((this.connection.retryInMs ?? 0) / 1000);
  }

  override render(): TemplateResult {
    const { connection } = this;
    const { kind } = connection;
    const isPaused = kind === 'paused';
    const label = 'label' in connection ? line(connection.label) : '';
    return html`<div class="place" title=${label}><bdi>${label}</bdi></div>
      <div class="line">
        <span class="status ${kind}" role="status" data-kind=${kind}><span class="dot"></span>${words[kind]}</span>
        <span class="fresh" title="When the last sample was taken">${this.#freshness()}</span>
        <select aria-label="Interval" title="Refresh interval. A query shorter than this may not be seen." @change=${this.#onInterval}>
          ${intervals.map((seconds) => html`<option value=${seconds} ?selected=${seconds === this.intervalSeconds}>${seconds} s</option>`)}
        </select>
        <poolguard-button class="pause" secondary ?disabled=${kind !== 'live' && !isPaused} @click=${() => ask(this, { kind: isPaused ? 'resume' : 'pause' })}>${isPaused ? 'Resume' : 'Pause'}</poolguard-button>
      </div>
      ${connection.kind === 'lost' ? this.#lost(connection.sentence) : nothing}`;
  }

  /** Says nothing while the figures are as fresh as they were asked for. */
  #freshness(): string {
    if (this.seenAt === null) return '';
    const ageMs = Math.max(0, this.now - this.seenAt);
    if (this.connection.kind === 'live' && ageMs < 1000 * (this.intervalSeconds + 1)) return '';
    return `${formatRoughAge(ageMs)} ago`;
  }

  #lost(sentence: string): TemplateResult {
    return html`<div class="notice bad"><div role="alert">${line(sentence, longestSentence)}</div><div class="again quiet"><span>${this.#nextTry()} ${this.seenAt === null ? '' : 'The figures below are old.'}</span>
      <poolguard-button secondary @click=${() => ask(this, { kind: 'reconnect' })}>Try now</poolguard-button></div></div>`;
  }

  #nextTry(): string {
    const waits = this.connection.kind === 'lost' && this.connection.retryInMs !== null;
    return waits ? `Retrying in ${this.secondsLeft} s.` : 'Poolguard does not retry.';
  }

  readonly #onInterval = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement)
      ask(this, { kind: 'interval', seconds: toInterval(Number(target.value)) });
  };
}
