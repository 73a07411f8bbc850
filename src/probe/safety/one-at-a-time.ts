import { toPlainText } from '../../activity/plain-text.ts';
import { listOtherProbes, type OtherProbe, takeProbeLock } from '../../database/probe-server.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { ProbeEnvironment } from '../probe-environment.ts';

/** Longer than a typical probe takes. */
const patienceMs = 20_000;
const betweenTriesMs = 250;

/** The notes are for the plan: what else is measured on this server. */
export type Turn = Refusal | { readonly kind: 'clear'; readonly notes: readonly string[] };

type Waiting = Pick<ProbeEnvironment, 'clock' | 'signal' | 'emit'>;

/**
 * Waits until no other probe is at work in this database, and keeps the next one waiting until `session` ends. Refuses when the other takes too long.
 * A cancel ends the wait. One in another database of the server is only told: whether to begin beside it is for the user to say.
 */
export async function awaitTurn(
  session: DatabaseSession,
  { clock, signal, emit }: Waiting,
): Promise<Turn> {
  const started = clock.now();
  // Behind a pooler the lock would stay on a backend that the application uses next.
  while (!session.isPooled && !signal.aborted) {
    const answer = await takeProbeLock(session);
    if (answer.kind === 'failed') return refuse(answer.failure.sentence);
    const [{ isTaken, holder } = { isTaken: false, holder: null }] = answer.rows;
    if (isTaken) break;
    if (clock.now() - started > patienceMs) return refuse(describeBusy(holder));
    emit({
      kind: 'progress',
      fraction: 0,
      doing: `${nameOf(holder)} runs in this database; waiting for it to end`,
      sizes: [],
    });
    await clock.wait(betweenTriesMs, signal);
  }
  const others = await listOtherProbes(session);
  return others.kind === 'failed'
    ? refuse(others.failure.sentence)
    : { kind: 'clear', notes: others.rows.map(describeOther) };
}

function describeBusy(holder: string | null): string {
  return `${nameOf(holder)} is still at work in this database, or waits there for its plan to be agreed to. Two at once would measure each other: let it end, or end it, then try again.`;
}

function describeOther({ name, database }: OtherProbe): string {
  return `${nameOf(name)} runs in database ${toPlainText(database)} of the same server: the two measure each other, so better wait for it to end.`;
}

/** `application_name` of another's session, which may be anything. */
function nameOf(applicationName: string | null): string {
  const id = /^poolguard-probe\/[a-z0-9]{1,12}/.exec(applicationName ?? '')?.[0];
  return id === undefined ? 'Another probe' : `Another probe (${id})`;
}
