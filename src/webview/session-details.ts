import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { describeAge } from '../activity/age.ts';
import type { StatementMatch, StatementPlace } from '../activity/code-knowledge.ts';
import { type Holder, holderText } from '../activity/holder.ts';
import { toPlainLines } from '../activity/plain-text.ts';
import { ownName } from '../activity/headroom.ts';
import {
  blockersText,
  clientText,
  stateText,
  statementTookMs,
  waitText,
} from '../activity/session-state.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import { line, name } from './database-text.ts';
import { ask } from './host.ts';
import { type SessionAction, sessionActions } from './messages.ts';
import { theme } from './theme.ts';

const matches: Readonly<Record<StatementMatch, string>> = {
  exact: 'exact',
  template: 'around the holes of a template',
  normalised: 'alike after normalising',
  beginning: 'cut by the server, begins alike',
  table: 'by its table',
};

interface ActionWords {
  readonly label: string;
  readonly title: string;
  readonly isOffered: (session: Session) => boolean;
}

const isOthers = ({ isOwn, state }: Session): boolean => !isOwn && state !== 'hidden';

/** What each action is called and when it makes sense; one that stands here and that the host does not know is not offered. */
const actionWords: Readonly<Record<string, ActionWords>> = {
  cancel: {
    label: 'Cancel query…',
    title: 'Ends what the session runs now; its connection stays. Asks first.',
    isOffered: (session) => isOthers(session) && session.state === 'active',
  },
  terminate: {
    label: 'Terminate session…',
    title: 'Closes its connection; what it has not committed is lost. Asks first.',
    isOffered: isOthers,
  },
  copy: {
    label: 'Copy statement',
    title: 'The full statement, as the server reports it',
    isOffered: ({ query }) => query !== '',
  },
  'copy-row': {
    label: 'Copy row',
    title: 'The session in one line, without the literals of its statement',
    isOffered: () => true,
  },
};

const showCode = sessionActions.find((action) => (action as string) === 'show-code');

/** One session unfolded: where its statement stands in the code, all of the statement, and what can be done. */
export class SessionDetails extends LitElement {
  static override properties = {
    session: { attribute: false },
    place: { attribute: false },
    holder: { attribute: false },
  };
  static override styles = [
    theme,
    css`
    :host { padding: 6px 10px 10px; }
    pre { margin: 6px 0; padding: 6px 8px; max-height: 260px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate;
      background: var(--vscode-textCodeBlock-background, var(--raised)); border: 1px solid var(--vscode-contrastBorder, transparent); border-radius: 3px; }
    .facts { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 12px; }
    .facts span { white-space: nowrap; }
    .where { margin-top: 4px; overflow-wrap: anywhere; }
    .rule { font-weight: 600; }
    .actions { display: flex; flex-wrap: wrap; gap: 6px; }
  `,
  ];
  declare session: Session;
  /** Null where no place is known, undefined while nobody has read the code. */
  declare place: StatementPlace | null | undefined;
  /** Undefined when no application under watch is known to hold it. */
  declare holder: Holder | undefined;

  override render(): TemplateResult {
    const { session } = this;
    const actions = sessionActions.filter((action) => actionWords[action]?.isOffered(session));
    return html`<div class="facts quiet">${factsOf(session)}</div>
      ${this.#where()}
      ${session.query === '' ? nothing : html`<pre class="code" tabindex="0" aria-label="Statement">${toPlainLines(session.query)}</pre>`}
      <div class="actions">${actions.map((action) => this.#button(action))}</div>`;
  }

  #where(): TemplateResult | typeof nothing {
    if (this.holder !== undefined) return this.#heldBy(this.holder);
    if (this.place === undefined || this.session.query === '') return nothing;
    if (this.place === null)
      return html`<div class="where quiet">No line of the workspace is known to write this statement.</div>`;
    const { label, match, others, rule } = this.place;
    return html`<div class="where">${placeLink(this, this.session, label)} <span class="quiet">· ${matches[match]}${others === 0 ? '' : `, and ${others} other place${others === 1 ? '' : 's'}`}</span>
      ${rule === null ? nothing : html`<span> · flagged <span class="rule">${line(rule)}</span></span>`}</div>`;
  }

  /** What the application tells itself beats the text of a statement, which others may write, too. */
  #heldBy(holder: Holder): TemplateResult {
    const rule = this.place?.rule ?? null;
    return html`<div class="where held-by">${line(holderText(holder))}${holder.place === null ? nothing : html`, acquired at ${placeLink(this, this.session, holder.place.label)}`}
      ${rule === null ? nothing : html`<span> · its last statement runs on a client flagged <span class="rule">${line(rule)}</span></span>`}</div>`;
  }

  #button(action: SessionAction): TemplateResult {
    const words = actionWords[action];
    return html`<poolguard-button secondary data-action=${action} title=${words?.title ?? ''} @click=${() => ask(this, { kind: 'session', action, key: sessionKey(this.session) })}>${words?.label ?? action}</poolguard-button>`;
  }
}

/** A link to the line, or its words alone while the host cannot open it. */
export function placeLink(
  element: HTMLElement,
  session: Session,
  label: string,
  tabIndex = 0,
): TemplateResult {
  if (showCode === undefined) return html`<span class="place">${name(label)}</span>`;
  return html`<button class="link place" tabindex=${tabIndex} title="Open this line" @click=${(
    event: Event,
  ) => {
    event.stopPropagation();
    ask(element, { kind: 'session', action: showCode, key: sessionKey(session) });
  }}>${name(label)}</button>`;
}

function factsOf(session: Session): readonly TemplateResult[] {
  const { pid, user, database, transactionAgeMs, stateAgeMs, isOwn } = session;
  const age = (word: string, ms: number | null): TemplateResult | null =>
    ms === null ? null : html`${word} ${describeAge(ms)}`;
  const facts = [
    html`pid ${pid}${isOwn ? ` (${ownName})` : ''}`,
    html`${stateText(session)}${stateAgeMs === null ? '' : ` for ${describeAge(stateAgeMs)}`}`,
    age('transaction open for', transactionAgeMs),
    age('last query took', statementTookMs(session)),
    waitText(session) === '' ? null : html`waits for ${line(waitText(session))}`,
    session.blockedBy.length === 0 ? null : html`blocked by ${blockersText(session)}`,
    user === null ? null : html`role ${name(user)}`,
    database === null ? null : html`database ${name(database)}`,
    clientText(session) === '' ? null : html`from ${name(clientText(session))}`,
  ];
  return facts.filter((fact) => fact !== null).map((fact) => html`<span>${fact}</span>`);
}

/** The keys of what is unfolded, with that one folded or unfolded. */
export function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return keys.has(key)
    ? new Set([...keys].filter((each) => each !== key))
    : new Set([...keys, key]);
}
