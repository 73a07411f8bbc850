import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { intervals, toInterval, type ConnectionState, type FromView, type IntervalSeconds } from './messages.ts';
import { theme } from './theme.ts';

const words: Readonly<Record<ConnectionState['kind'], string>> = {
  untrusted: 'Restricted', none: 'Not connected', connecting: 'Connecting …', live: 'Live', paused: 'Paused', lost: 'Lost',
};

/** Which database, how fresh the figures are, pause and interval; and the countdown when the connection was lost. */
export class ActivityBar extends LitElement {
  static override properties = { connection: { attribute: false }, intervalSeconds: { attribute: false }, secondsLeft: { state: true } };
  static override styles = [theme, css`
    .place { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
    .line { display: flex; align-items: center; gap: 8px; margin-top: 4px; }
    .status { display: inline-flex; align-items: center; gap: 6px; flex: 1; color: var(--quiet); }
    .live { --dot: var(--state-active); }
    .paused, .connecting { --dot: var(--state-in-transaction); }
    .lost { --dot: var(--state-aborted); }
    select { height: 24px; padding: 0 4px; border-radius: 3px; border: 1px solid var(--vscode-settings-dropdownBorder, var(--line));
      color: var(--vscode-settings-dropdownForeground, var(--ink)); background: var(--vscode-settings-dropdownBackground, transparent); font: inherit; font-size: 12px; }
    .notice { margin-top: 8px; overflow-wrap: anywhere; }
    .notice .quiet { display: flex; justify-content: space-between; align-items: center; gap: 8px; margin-top: 4px; }
  `];
  declare connection: ConnectionState;
  declare intervalSeconds: IntervalSeconds;
  declare secondsLeft: number;
  #countdown: number | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#countdown);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('connection')) return;
    window.clearInterval(this.#countdown);
    if (this.connection.kind !== 'lost') return;
    this.secondsLeft = Math.ceil((this.connection.retryInMs ?? 0) / 1000);
    this.#countdown = window.setInterval(() => (this.secondsLeft = Math.max(0, this.secondsLeft - 1)), 1000);
  }

  override render(): TemplateResult {
    const { connection } = this;
    const { kind } = connection;
    const isPaused = kind === 'paused';
    return html`<div class="place" title=${'label' in connection ? connection.label : ''}>${'label' in connection ? connection.label : ''}</div>
      <div class="line">
        <span class="status ${kind}" role="status" data-kind=${kind}><span class="dot"></span>${words[kind]}</span>
        <select aria-label="Interval" title="How often to look" @change=${this.#onInterval}>
          ${intervals.map((seconds) => html`<option value=${seconds} ?selected=${seconds === this.intervalSeconds}>${seconds} s</option>`)}
        </select>
        <poolguard-button class="pause" secondary ?disabled=${kind !== 'live' && !isPaused} @click=${() => this.#ask({ kind: isPaused ? 'resume' : 'pause' })}>${isPaused ? 'Resume' : 'Pause'}</poolguard-button>
      </div>
      ${connection.kind === 'lost' ? this.#lost(connection.sentence) : nothing}`;
  }

  #lost(sentence: string): TemplateResult {
    return html`<div class="notice bad" role="alert">${sentence}<div class="quiet"><span>${this.#nextTry()} The figures below are old.</span>
      <poolguard-button secondary @click=${() => this.#ask({ kind: 'reconnect' })}>Try now</poolguard-button></div></div>`;
  }

  #nextTry(): string {
    const waits = this.connection.kind === 'lost' && this.connection.retryInMs !== null;
    return waits ? `Next try in ${this.secondsLeft} s.` : 'It is not tried again by itself.';
  }

  readonly #onInterval = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) this.#ask({ kind: 'interval', seconds: toInterval(Number(target.value)) });
  };

  #ask(detail: FromView): void {
    this.dispatchEvent(new CustomEvent('request', { detail, bubbles: true, composed: true }));
  }
}
