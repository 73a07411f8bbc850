import type { SessionLimits } from './session-limits.ts';
import type { DatabaseFailure } from './failure-row.ts';
import { cancelledFailure, toDatabaseFailure } from './failure.ts';
import type { Secret } from './secret.ts';
import { loginSettings, sessionSettings, type Settings } from './session-settings.ts';
import type { ConnectionTarget } from './target.ts';
import { createWire, type Wire } from './wire.ts';

/**
 * What the startup message says of settings. They hold before any code of the database can run.
 *
 * `without-triggers`: all guards, and no login trigger runs, which PostgreSQL 17 and newer allow a superuser.
 * `guarded`: all guards. `bare`: none, since most poolers refuse them; the first statement sets them.
 */
export type Startup = 'without-triggers' | 'guarded' | 'bare';

const safest: Startup = 'without-triggers';

/** What to try next, by the SQLSTATE with which a startup message was refused. */
const nextByCode: Readonly<Record<Startup, Readonly<Record<string, Startup>>>> = {
  // An unknown setting, one that this role may not set, a refused value; then poolers, which refuse any.
  'without-triggers': {
    42704: 'guarded',
    42501: 'guarded',
    22023: 'guarded',
    '08P01': 'bare',
    '0A000': 'bare',
  },
  guarded: { 42704: 'bare', 42501: 'bare', 22023: 'bare', '08P01': 'bare', '0A000': 'bare' },
  bare: {},
};

/** Under the same SQLSTATE poolers refuse a password, a database, or one client more. */
const finalKinds: readonly DatabaseFailure['kind'][] = [
  'wrong-password',
  'no-such-role',
  'no-such-database',
  'too-many',
];

/** What to try after this failure to log in; null when it had nothing to do with the startup message. */
export function nextStartup(
  startup: Startup,
  { kind, code }: Pick<DatabaseFailure, 'kind' | 'code'>,
): Startup | null {
  return finalKinds.includes(kind) ? null : (nextByCode[startup][code ?? ''] ?? null);
}

/** The value of the startup parameter `options`; undefined for none. */
export function toStartupOptions(startup: Startup, limits: SessionLimits): string | undefined {
  const guards: Settings = { ...sessionSettings(limits), ...loginSettings };
  const byStartup: Readonly<Record<Startup, Settings | null>> = {
    'without-triggers': { ...guards, event_triggers: 'off' },
    guarded: guards,
    bare: null,
  };
  const settings = byStartup[startup];
  if (settings === null) return undefined;
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

export interface Login {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  /** What to begin with; the safest when not said. */
  readonly startup: Startup | undefined;
  /** Ends the attempt. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Logs in with the safest startup message that the other side takes, and uses what `dial` opened over the socket of its own. Every failure
 * is an answer; nothing stays open after one.
 */
export async function logIn<Opened, Answer>(
  { target, secret, startup = safest, signal }: Login,
  dial: (startup: Startup, socket: Wire['socket']) => Promise<Opened>,
  use: (opened: Opened) => Promise<Answer>,
): Promise<Answer | { readonly kind: 'failed'; readonly failure: DatabaseFailure }> {
  const wires: Wire[] = [];
  const dialFrom = async (first: Startup): Promise<Opened> => {
    const wire = createWire(target);
    wires.push(wire);
    try {
      signal?.throwIfAborted();
      return await dial(first, wire.socket);
    } catch (error) {
      const failure = toDatabaseFailure(error, { target, secret: null, during: 'connect' });
      const next = nextStartup(first, failure);
      if (next === null) throw error;
      // Until the backend is gone it counts as one of the role's connections.
      await wire.closed();
      return dialFrom(next);
    }
  };
  const abandon = () => wires.at(-1)?.socket.destroy(new DOMException('Cancelled', 'AbortError'));
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    return await use(await dialFrom(startup));
  } catch (error) {
    const wire = wires.at(-1);
    wire?.socket.destroy();
    const context = {
      target,
      secret,
      during: 'connect',
      ...(wire && { wire: wire.state() }),
    } as const;
    return {
      kind: 'failed',
      failure: signal?.aborted ? cancelledFailure() : toDatabaseFailure(error, context),
    };
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
}
