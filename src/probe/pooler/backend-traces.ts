import { toShortText } from '../../activity/plain-text.ts';
import { type BackendTraces, readBackendTraces } from '../../database/read-backend-traces.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { commonLimits, type ProbeEnvironment } from '../probe-environment.ts';
import type { ProbeRequest } from '../request.ts';

interface Watched {
  readonly clients: number;
  readonly environment: ProbeEnvironment;
}

/** Looks at the backends of a pooler; what it gives looks again and says what they keep since. Null without a pooler. */
export async function watchBackends(
  { isPooled, startup }: Pick<DatabaseSession, 'isPooled' | 'startup'>,
  { target, secret, dryRun, workload }: ProbeRequest,
  { clients, environment }: Watched,
): Promise<(() => Promise<readonly string[]>) | null> {
  if (!isPooled || dryRun || workload.kind === 'stand-in') return null;
  const { signal } = environment;
  const look = () =>
    readBackendTraces(target, secret, clients, {
      ...commonLimits(environment),
      startup,
      signal,
    });
  const before = await look();
  return async () => compareTraces(before, await look());
}

/** A list that fits into a sentence. */
const mostShown = 5;

/**
 * What backends of the pooler keep that they did not have before the probe, a sentence each. Compared are those that were met
 * both times, and those that began in between, with nothing but the settings of their login. Values of settings are not
 * shown, since they may be secret.
 */
export function compareTraces(
  before: readonly BackendTraces[],
  after: readonly BackendTraces[],
): readonly string[] {
  const earlier = new Map(before.map((each) => [keyOf(each), each]));
  const met = new Map(after.map((each) => [keyOf(each), each]));
  const lookedAt = Math.max(...before.map(({ seenAt }) => seenAt));
  return [...met].flatMap(([key, now]) => {
    const then =
      earlier.get(key) ??
      (before.length > 0 && now.startedAt > lookedAt
        ? { ...now, prepared: [], locks: [] }
        : undefined);
    const kept = then === undefined ? [] : keptBy(then, now);
    if (kept.length === 0) return [];
    const shown = kept.slice(0, mostShown).map((each) => toShortText(each, 80));
    const more = kept.length > shown.length ? `, and ${kept.length - shown.length} more` : '';
    return [`Backend ${now.pid} of the pooler keeps ${shown.join(', ')}${more}.`];
  });
}

function keyOf({ pid, startedAt }: BackendTraces): string {
  return `${pid} ${startedAt}`;
}

function keptBy(then: BackendTraces, now: BackendTraces): readonly string[] {
  const without = (list: readonly string[], earlier: readonly string[]) => {
    const known = new Set(earlier);
    return list.filter((each) => !known.has(each));
  };
  const names = (settings: readonly string[]) =>
    settings.map((setting) => setting.slice(0, setting.indexOf('=')));
  const changed = new Set([
    ...names(without(now.settings, then.settings)),
    ...names(without(then.settings, now.settings)),
  ]);
  return [
    ...without(now.prepared, then.prepared).map((name) => `the prepared statement ${name}`),
    ...without(now.locks, then.locks).map((lock) => `the advisory lock ${lock}`),
    ...[...changed].map((name) => `another value of ${name}`),
  ];
}
