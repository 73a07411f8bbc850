import { describeAge } from '../../activity/age.ts';
import { isIdleInTransaction } from '../../activity/group-by-pool.ts';
import type { Session } from '../../activity/snapshot.ts';
import type { ClientFinding } from '../../linking/code-statement.ts';
import type { LinkedCode } from '../../linking/linked-code.ts';
import type { SeenSessions } from '../code-index.ts';

/** A finding as the editor shows it; its line counts from 1. */
export interface ShownFinding extends ClientFinding {
  readonly uri: string;
}

/** The sessions of one state that run, or last ran, a statement of the client that a finding is about. */
interface LiveGroup {
  readonly sessions: readonly Session[];
  readonly isSure: boolean;
}

const shownPids = 5;

/** "Live now: 2 sessions idle in transaction here, longest 4 min (pid 4711, 4712)." Numbers and words of ours only; undefined when no session is there. */
export function liveText(
  finding: ShownFinding,
  code: LinkedCode,
  seen: Omit<SeenSessions, 'server'>,
  now: number,
): string | undefined {
  const { sessions, isSure } = sessionsAt(finding, code, seen);
  const parts = [
    part(sessions.filter(isIdleInTransaction), (one) => `${one} idle in transaction here`),
    part(
      sessions.filter(({ state }) => state === 'active'),
      (one) => `${one} running a statement of it`,
    ),
    part(
      sessions.filter(({ state }) => state === 'idle'),
      (one) => `${one} idle after a statement of it`,
    ),
  ].filter((each) => each !== undefined);
  if (parts.length === 0) return undefined;
  const when = seen.isLive ? 'Live now' : `As of ${describeAge(Math.max(0, now - seen.at))} ago`;
  return `${when}: ${parts.join('; ')}.${isSure ? '' : ' The same statement appears elsewhere, too.'}`;
}

function sessionsAt(
  { uri, rule, line }: ShownFinding,
  code: LinkedCode,
  { sessions }: Pick<SeenSessions, 'sessions'>,
): LiveGroup {
  let isSure = true;
  const there = sessions.filter(({ isOwn, query }) => {
    const places = isOwn || query === '' ? [] : (code.placesOf(query)?.places ?? []);
    const isHere = places.some(
      (place) =>
        place.uri === uri &&
        place.findings.some((each) => each.rule === rule && each.line === line),
    );
    if (isHere && places.length > 1) isSure = false;
    return isHere;
  });
  return { sessions: there, isSure };
}

function part(sessions: readonly Session[], say: (sessions: string) => string): string | undefined {
  if (sessions.length === 0) return undefined;
  const oldestFirst = [...sessions].sort((a, b) => (b.stateAgeMs ?? 0) - (a.stateAgeMs ?? 0));
  const pids = oldestFirst
    .slice(0, shownPids)
    .map(({ pid }) => pid)
    .join(', ');
  const more = sessions.length > shownPids ? ` and ${sessions.length - shownPids} more` : '';
  const longest = describeAge(oldestFirst[0]?.stateAgeMs ?? 0);
  const ages = sessions.length === 1 ? `for ${longest}` : `longest ${longest}`;
  return `${say(sessions.length === 1 ? '1 session' : `${sessions.length} sessions`)}, ${ages} (pid ${pids}${more})`;
}
