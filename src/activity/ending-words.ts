import type { DatabaseFailure } from '../database/failure-row.ts';
import { quoteName } from '../sql/quote-name.ts';
import { describeAge } from './age.ts';
import { isIdleInTransaction } from './group-by-pool.ts';
import { statementTookMs } from './session-state.ts';
import { toPlainText, toShortText } from './plain-text.ts';
import type { ActivityReport, Session } from './snapshot.ts';

/** `cancel` stops the running statement and leaves the session; `terminate` closes the connection. */
export type EndingAction = 'cancel' | 'terminate';

/** Which session to end, and what the user saw of it. */
export interface EndingRequest {
  readonly action: EndingAction;
  readonly pid: number;
  /** As in the snapshot: ISO 8601 in microseconds. */
  readonly backendStart: string;
  /** When the sample was taken that showed it. */
  readonly seenAt: string;
}

/** What became of a request. Only `ended` says that something stopped. */
export type EndingOutcome =
  /** Looked for again, and found stopped. */
  | { readonly kind: 'ended' }
  /** The server took the request, and the session went on for as long as was waited. */
  | { readonly kind: 'still-there' }
  /** Ended before it was asked. */
  | { readonly kind: 'gone' }
  /** Another backend has its process id now. */
  | { readonly kind: 'replaced' }
  /** To cancel: no statement runs. */
  | { readonly kind: 'runs-nothing' }
  /** To cancel: another statement runs than the one seen. */
  | { readonly kind: 'moved-on' }
  /** The role may not see whose backend it is. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'refused'; readonly because: 'own' | 'background' }
  /** The names come from the database. */
  | {
      readonly kind: 'not-allowed';
      readonly ownRole: string;
      readonly ownerRole: string;
      readonly ownerIsSuperuser: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** What a user confirms before a session is ended. Database text in it is plain and short. */
export interface EndingConfirmation {
  readonly title: string;
  /** Several lines. */
  readonly detail: string;
  /** What may be done, the mildest first. */
  readonly choices: readonly EndingChoice[];
}

export interface EndingChoice {
  readonly action: EndingAction;
  readonly label: string;
}

export interface EndingPlace {
  readonly report: Pick<ActivityReport, 'server'>;
  /** Whether the host is this machine or in a private network. */
  readonly isPrivate: boolean;
  /** Whether a pooler lends this backend to its clients. */
  readonly isPooled: boolean;
}

const longestStatement = 200;

/** Why a session is not asked about at all, as the outcome that a request would have; null for one that may be. */
export function refuseEnding({ isOwn, state }: Session): EndingOutcome | null {
  if (isOwn) return { kind: 'refused', because: 'own' };
  return state === 'hidden' ? { kind: 'hidden' } : null;
}

/** Whether there is a statement to cancel. */
export function runsStatement({ state }: Session): boolean {
  return state === 'active' || state === 'fastpath function call';
}

/** The question before one action, for a place that knows only yes and no. Database text in it is plain and short. */
export function askEnding(
  session: Session,
  action: EndingAction,
  { report: { server }, isPrivate, isPooled }: EndingPlace,
): { readonly title: string; readonly lines: readonly string[] } {
  const who = `session ${session.pid} of ${nameOf(session)}${isPrivate ? '' : ` on ${toPlainText(server.host)}`}`;
  const lines = [
    ...describeSession(session, server),
    action === 'cancel' ? cancelCost : terminateCost(session),
    isPooled ? poolerCost : '',
    isPrivate ? '' : farAway(server),
  ];
  return {
    title: action === 'cancel' ? `Cancel the statement of ${who}?` : `Terminate ${who}?`,
    lines: lines.filter((line) => line !== ''),
  };
}

/** `asked` is what the user wants; what cannot help is not offered, and said. */
export function confirmEnding(
  session: Session,
  asked: EndingAction,
  { report: { server }, isPrivate, isPooled }: EndingPlace,
): EndingConfirmation {
  const runs = runsStatement(session);
  const who = `session ${session.pid} of ${nameOf(session)}`;
  const place = isPrivate ? '' : ` on ${toPlainText(server.host)}`;
  const lines = [
    ...describeSession(session, server),
    '',
    runs
      ? cancelCost
      : asked === 'cancel'
        ? 'No statement is running, so cancelling has no effect. Terminate the session to end its transaction.'
        : '',
    terminateCost(session),
    isPooled ? poolerCost : '',
    isPrivate ? '' : farAway(server),
  ];
  const cancel: EndingChoice = { action: 'cancel', label: 'Cancel the statement' };
  const terminate: EndingChoice = {
    action: 'terminate',
    label: runs ? 'Terminate instead' : 'Terminate the session',
  };
  return {
    title: runs ? `End what ${who} runs${place}?` : `Terminate ${who}${place}?`,
    detail: lines.filter((line, index) => line !== '' || index === 3).join('\n'),
    choices: runs ? [cancel, terminate] : [terminate],
  };
}

/** One sentence or two, and whether it is good news. Names come from the database, and are made plain. */
export function describeEnding(
  outcome: EndingOutcome,
  action: EndingAction,
  session: Session,
): { readonly sentence: string; readonly isDone: boolean } {
  const who = `Session ${session.pid} of ${nameOf(session)}`;
  return {
    sentence: say(outcome, action, who),
    isDone: outcome.kind === 'ended' || outcome.kind === 'gone',
  };
}

function say(outcome: EndingOutcome, action: EndingAction, who: string): string {
  switch (outcome.kind) {
    case 'ended':
      return action === 'cancel'
        ? `${who}: its statement has stopped.`
        : `${who} is gone; its connection is free.`;
    case 'still-there':
      return action === 'cancel'
        ? `${who} has not cancelled its statement yet. If it does not stop soon, terminate it.`
        : `${who} has not terminated yet. It may be rolling back, or be in a call that ignores signals.`;
    case 'gone':
      return `${who} had already ended.`;
    case 'replaced':
      return `${who} has ended, and another backend has its process id now. That backend was left alone.`;
    case 'runs-nothing':
      return `${who} is no longer running a statement, so there was nothing to cancel. To end its transaction, terminate it.`;
    case 'moved-on':
      return `${who} is running another statement than the one shown, so nothing was cancelled. Refresh and try again.`;
    case 'hidden':
      return `This role cannot see whose backend that is, so nothing was done. To see every session, GRANT pg_monitor to it.`;
    case 'refused':
      return outcome.because === 'own'
        ? `${who} is Poolguard's own and cannot be ended.`
        : `${who} belongs to the server itself or to a replica and cannot be ended.`;
    case 'not-allowed':
      return describeRight(outcome, who);
    case 'failed':
      return outcome.failure.sentence;
  }
}

function describeRight(
  { ownRole, ownerRole, ownerIsSuperuser }: Extract<EndingOutcome, { kind: 'not-allowed' }>,
  who: string,
): string {
  if (ownerIsSuperuser)
    return `${who} belongs to the superuser ${toPlainText(ownerRole)}, and only a superuser can end it.`;
  return `${who} belongs to ${toPlainText(ownerRole)}, and ${toPlainText(ownRole)} cannot end it. A superuser can allow it: GRANT pg_signal_backend TO ${quoteName(ownRole)};`;
}

const cancelCost = 'Cancel stops the statement with an error; the connection stays.';
const poolerCost =
  'The connection goes through a pooler: this affects a server connection that its clients share, and the client that is using it at that moment gets the error.';

function terminateCost({ transactionAgeMs }: Session): string {
  return `Terminate closes its connection${transactionAgeMs === null ? '' : '; its open transaction is rolled back'}. The pool's next query on this client fails.`;
}

function farAway({ host }: ActivityReport['server']): string {
  return `This server is neither this machine nor in a private network: ${toPlainText(host)}.`;
}

/** All that tells a session apart: three lines. */
function describeSession(session: Session, server: ActivityReport['server']): readonly string[] {
  return [
    describeWho(session, server),
    describeState(session),
    session.query === '' ? '' : `Statement: ${toShortText(session.query, longestStatement).trim()}`,
  ];
}

function describeWho(
  { pid, user, database, clientAddress, clientPort, application }: Session,
  server: ActivityReport['server'],
): string {
  const from =
    clientAddress === null
      ? 'a local socket'
      : `${clientAddress}${clientPort === null ? '' : `:${clientPort}`}`;
  const where = `${toPlainText(server.host)}:${server.port}`;
  return `Process id ${pid}, user ${name(user)}, application ${name(application)}, database ${name(database)} at ${where}, from ${from}.`;
}

function describeState(session: Session): string {
  const { state, stateAgeMs, transactionAgeMs } = session;
  const transaction =
    transactionAgeMs === null ? '' : `, its transaction open for ${describeAge(transactionAgeMs)}`;
  const took = statementTookMs(session);
  return `State: ${state}${stateAgeMs === null ? '' : ` for ${describeAge(stateAgeMs)}`}${transaction}${took === null ? '' : `, its last statement took ${describeAge(took)}`}.`;
}

/** Those that block others first, then those idle in a transaction, then what runs; the longest in its state first. */
export function worstFirst(sessions: readonly Session[]): readonly Session[] {
  const blockers = new Set(sessions.flatMap(({ blockedBy }) => blockedBy));
  const rank = (session: Session) =>
    blockers.has(session.pid)
      ? 0
      : isIdleInTransaction(session)
        ? 1
        : session.state === 'active'
          ? 2
          : 3;
  return [...sessions].sort(
    (a, b) => rank(a) - rank(b) || (b.stateAgeMs ?? 0) - (a.stateAgeMs ?? 0) || a.pid - b.pid,
  );
}

function nameOf({ application }: Session): string {
  return application === '' ? 'an application without a name' : name(application);
}

function name(text: string | null): string {
  return text === null || text === '' ? '(none)' : toShortText(text, 60).trim();
}
