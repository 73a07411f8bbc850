import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { describeAge } from '../activity/age.ts';
import type { ActivityModel } from '../activity/activity-model.ts';
import { countWaiters, type BlockingNode } from '../activity/blocking.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import { stateKey, stateText } from '../activity/session-state.ts';
import { line, name } from './database-text.ts';
import { placeLink } from './session-details.ts';
import { theme } from './theme.ts';

/** A node where it stands: the same session may wait on several ways. */
interface Branch {
  /** Process ids from the root, for example "12/40". */
  readonly id: string;
  readonly parent: string | null;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly node: BlockingNode;
}

/** Deep and wide enough for people; a queue of hundreds says no more than its first. */
const mostWaiters = 20;

/** The blocking tree: the roots, which wait for nobody, with those that wait for them. Arrow keys move and fold, Enter shows a session. */
export class BlockingTree extends LitElement {
  static override properties = {
    activity: { attribute: false },
    folded: { state: true },
    unfolded: { state: true },
    at: { state: true },
  };
  static override styles = [
    theme,
    css`
    .item { display: flex; gap: 4px; padding: 3px 4px; border-radius: 3px; cursor: pointer; }
    .item:hover { background: var(--vscode-list-hoverBackground, var(--raised)); }
    .who { flex: 1; min-width: 0; }
    .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 6px; }
    .twisty { flex: none; width: 10px; color: var(--quiet); }
    .app { font-weight: 600; max-width: 24ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .state { display: inline-flex; align-items: baseline; gap: 5px; }
    .holds { padding: 0 6px; border-radius: 8px; font-size: 11px; color: var(--vscode-badge-foreground, var(--ink)); background: var(--vscode-badge-background, var(--raised)); border: 1px solid var(--vscode-contrastBorder, transparent); }
    .statement { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); }
    .place-line { font-size: 12px; }
    poolguard-session-details { border-left: 2px solid var(--line); cursor: auto; }
    .more { padding-left: 20px; font-size: 12px; }
  `,
  ];
  declare activity: ActivityModel;
  declare folded: ReadonlySet<string>;
  declare unfolded: ReadonlySet<string>;
  declare at: string;

  constructor() {
    super();
    this.folded = new Set();
    this.unfolded = new Set();
    this.at = '';
  }

  override render(): TemplateResult {
    const byPid = new Map(this.activity.report?.sessions.map((session) => [session.pid, session]));
    const branches = this.#branches();
    const focusable = branches.some(({ id }) => id === this.at) ? this.at : branches[0]?.id;
    return html`<div role="tree" aria-label="Blocking" @keydown=${this.#onKey}>${branches.map((branch) => this.#branch(branch, byPid.get(branch.node.pid), branch.id === focusable))}</div>`;
  }

  /** What can be seen, from top to bottom. */
  #branches(): readonly Branch[] {
    const walk = (nodes: readonly BlockingNode[], parent: Branch | null): Branch[] =>
      nodes.slice(0, mostWaiters).flatMap((node, index) => {
        const branch: Branch = {
          id: `${parent === null ? '' : `${parent.id}/`}${node.pid}`,
          parent: parent?.id ?? null,
          level: (parent?.level ?? 0) + 1,
          position: index + 1,
          siblings: nodes.length,
          node,
        };
        return this.folded.has(branch.id) ? [branch] : [branch, ...walk(node.waiters, branch)];
      });
    return walk(this.activity.blocking, null);
  }

  #branch(
    { id, level, position, siblings, node }: Branch,
    session: Session | undefined,
    isFocusable: boolean,
  ): TemplateResult {
    const hasWaiters = node.waiters.length > 0;
    const isOpen = hasWaiters && !this.folded.has(id);
    return html`<div role="treeitem" class="item" data-branch=${id} aria-level=${level} aria-posinset=${position} aria-setsize=${siblings} aria-expanded=${hasWaiters ? isOpen : nothing}
      tabindex=${isFocusable ? 0 : -1} .style=${`margin-left: ${(level - 1) * 12}px`} @click=${() => this.#activate(id)} @focus=${() => (this.at = id)}>
        <span class="twisty" aria-hidden="true" @click=${(event: Event) => this.#fold(id, event)}>${twisty(hasWaiters, isOpen)}</span>
        <div class="who"><div class="head">${whoIs(node, session)}${holds(node)}</div>
        ${session === undefined ? nothing : this.#statement(session, this.unfolded.has(id))}</div>
      </div>${node.waiters.length > mostWaiters && isOpen ? html`<div role="none" class="more quiet">and ${node.waiters.length - mostWaiters} more</div>` : nothing}`;
  }

  #statement(session: Session, isUnfolded: boolean): TemplateResult {
    const key = sessionKey(session);
    const [place, holder] = [this.activity.places[key], this.activity.holders[key]];
    if (isUnfolded)
      return html`<poolguard-session-details .session=${session} .place=${place} .holder=${holder} @click=${stop} @keydown=${stop}></poolguard-session-details>`;
    const label = (holder?.place ?? place)?.label;
    return html`${session.query === '' ? nothing : html`<div class="statement code"><bdi>${line(session.query)}</bdi></div>`}
      ${label === undefined ? nothing : html`<div class="place-line">${placeLink(this, session, label, -1)}</div>`}`;
  }

  #fold(id: string, event?: Event): void {
    event?.stopPropagation();
    this.folded = toggled(this.folded, id);
  }

  #activate(id: string): void {
    this.at = id;
    this.unfolded = toggled(this.unfolded, id);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const branches = this.#branches();
    const index = branches.findIndex(({ id }) => id === this.at);
    const branch = branches[Math.max(0, index)];
    if (branch === undefined) return;
    const isOpen = branch.node.waiters.length > 0 && !this.folded.has(branch.id);
    const isClosed = this.folded.has(branch.id);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#focus(branches[index + 1]?.id),
      ArrowUp: () => this.#focus(branches[index - 1]?.id),
      Home: () => this.#focus(branches[0]?.id),
      End: () => this.#focus(branches.at(-1)?.id),
      ArrowRight: () =>
        isClosed ? this.#fold(branch.id) : isOpen && this.#focus(branches[index + 1]?.id),
      ArrowLeft: () => (isOpen ? this.#fold(branch.id) : this.#focus(branch.parent ?? undefined)),
      Enter: () => this.#activate(branch.id),
      ' ': () => this.#activate(branch.id),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  #focus(id: string | undefined): void {
    if (id !== undefined)
      this.renderRoot.querySelector<HTMLElement>(`[data-branch="${id}"]`)?.focus();
  }
}

/** What happens inside of the details is no matter of the tree. */
const stop = (event: Event): void => event.stopPropagation();

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return set.has(id) ? new Set([...set].filter((each) => each !== id)) : new Set([...set, id]);
}

function twisty(hasWaiters: boolean, isOpen: boolean): string {
  if (!hasWaiters) return '';
  return isOpen ? '▾' : '▸';
}

function holds(node: BlockingNode): TemplateResult | typeof nothing {
  if (node.isCycle) return html`<span class="holds">waits for itself: a deadlock</span>`;
  return node.waiters.length === 0
    ? nothing
    : html`<span class="holds">blocks ${countWaiters(node)}</span>`;
}

function whoIs({ pid }: BlockingNode, session: Session | undefined): TemplateResult {
  if (pid === 0)
    return html`<span class="app">a prepared transaction</span><span class="quiet">has no session; see pg_prepared_xacts</span>`;
  if (session === undefined)
    return html`<span class="app numbers">${pid}</span><span class="quiet">no client, or not in this sample</span>`;
  const age = session.stateAgeMs === null ? '' : ` ${describeAge(session.stateAgeMs)}`;
  return html`<span class="numbers">${pid}</span><span class="app" title=${line(session.application)}>${name(session.application || '(no name)')}</span>
    <span class="state" data-state=${stateKey(session)}><span class="dot"></span><span>${stateText(session)}${age}</span></span>`;
}

/** "5 waiting", each counted once. */
export function describeBlocking(blocking: readonly BlockingNode[]): string {
  const waiting = new Set(blocking.flatMap((root) => pidsBelow(root))).size;
  return `${waiting} waiting`;
}

function pidsBelow({ waiters }: BlockingNode): number[] {
  return waiters.flatMap((node) => [node.pid, ...pidsBelow(node)]);
}
