import type { SessionEffect } from './sql.ts';

/** What a pooler makes of something: others get it, it does not work, the server connection is kept for one client, or all is well. */
export type Outcome = 'leaks' | 'breaks' | 'pins' | 'works';

export const poolModes = ['transaction', 'session', 'statement'] as const;
export type PoolMode = (typeof poolModes)[number];

/** What poolers differ in: session state, what a connection may ask for when it starts, and transactions of several statements. */
export type Subject = SessionEffect | 'startup-parameter' | 'startup-options' | 'transaction';

export interface Behaviour {
  readonly outcome: Outcome;
  /** The first version that behaves so, and the first that does not any more. */
  readonly since?: string;
  readonly until?: string;
  /** The rest of the cure where a setting of the pooler decides; it follows a comma. */
  readonly remark?: string;
  /** The same where the version is not known. */
  readonly withoutVersion?: string;
}

type Behaviours = Readonly<Partial<Record<Subject, readonly Behaviour[]>>>;

export interface Pooler {
  readonly kind: string;
  readonly name: string;
  /**
   * By mode; statement mode is like transaction mode except for what it says itself. Of several behaviours the one for the version
   * counts, and the first where the version is not known. What is left out is not known, and nothing is said about it.
   */
  readonly behaviours: Readonly<Partial<Record<PoolMode, Behaviours>>>;
  /** Settings that it keeps with the client, whichever backend serves it; with the version from which on. */
  readonly trackedSettings?: Readonly<Record<string, string>>;
  /** From this version on it reads the startup parameter `options`, and refuses only what it does not track in there. */
  readonly readsOptionsSince?: string;
}

const leaks: readonly Behaviour[] = [{ outcome: 'leaks' }];
const breaks: readonly Behaviour[] = [{ outcome: 'breaks' }];
const pins: readonly Behaviour[] = [{ outcome: 'pins' }];
const works: readonly Behaviour[] = [{ outcome: 'works' }];

/** PgBouncer `src/varcache.c`; IntervalStyle from 1.20 by `track_extra_parameters` (`NEWS.md`). */
const trackedByPgBouncer: Readonly<Record<string, string>> = {
  client_encoding: '1.0',
  datestyle: '1.0',
  timezone: '1.0',
  standard_conforming_strings: '1.0',
  application_name: '1.0',
  intervalstyle: '1.20',
};

/** A pooler that keeps nothing of a session between transactions. */
const stateBreaks: Behaviours = {
  set: breaks,
  'advisory-lock': breaks,
  listen: breaks,
  'temp-table': breaks,
  prepare: breaks,
  load: breaks,
  'cursor-with-hold': breaks,
};

/** PgBouncer `features.md`, its table of what works in which mode; leaks measured on 1.18 with pg 8.23: `SET` of one client turned up at another. */
const pgBouncerState: Behaviours = { ...stateBreaks, set: leaks, 'advisory-lock': leaks };

/** PgBouncer `NEWS.md`: 1.21 has `max_prepared_statements`, 0 by default; 1.22 understands `DEALLOCATE ALL` with it; from 1.24 it is 200 by default. */
const pgBouncerNames: readonly Behaviour[] = [
  {
    outcome: 'breaks',
    until: '1.21',
    remark: 'or use PgBouncer 1.21 or newer with `max_prepared_statements` on',
    withoutVersion:
      'or, if your PgBouncer has `max_prepared_statements` on (the default since 1.24), add its `version` to `settings.poolguard.pooler`',
  },
  {
    outcome: 'breaks',
    since: '1.21',
    until: '1.24',
    remark:
      'or switch `max_prepared_statements` on, which is off by default before 1.24, and set `version` to 1.24 here',
  },
  { outcome: 'works', since: '1.24' },
];

export const poolers: readonly Pooler[] = [
  {
    kind: 'pgbouncer',
    name: 'PgBouncer',
    behaviours: {
      transaction: {
        ...pgBouncerState,
        'named-statement': pgBouncerNames,
        'startup-parameter': breaks,
        'startup-options': breaks,
      },
      // `config.md`, `pool_mode`: transactions of several statements are refused.
      statement: { transaction: breaks },
      // DISCARD ALL runs between clients (`server_reset_query`); the application's own pool is one client. Startup parameters were measured on 1.18.
      session: { 'startup-parameter': breaks, 'startup-options': breaks },
    },
    trackedSettings: trackedByPgBouncer,
    // `NEWS.md`, 1.20.
    readsOptionsSince: '1.20',
  },
  {
    // Supabase's guide to its connection strings: omit `name` in node-postgres. Supavisor 2.10 `txn_mode_leak_action` names SET, LISTEN, advisory
    // locks and temporary tables; `NAMED_PREPARED_STATEMENTS_ENABLED` is false by default (`config/runtime.exs`).
    kind: 'supavisor',
    name: 'Supavisor',
    behaviours: { transaction: { ...pgBouncerState, 'named-statement': breaks } },
  },
  {
    // Neon's guide to connection pooling: a PgBouncer in transaction mode, with `max_prepared_statements`; neondatabase/neon#12681 for state that
    // reaches others, #6291 for `options`.
    kind: 'neon',
    name: "Neon's pooler",
    behaviours: {
      transaction: {
        ...pgBouncerState,
        'named-statement': works,
        'startup-parameter': breaks,
        'startup-options': breaks,
      },
    },
    trackedSettings: trackedByPgBouncer,
    readsOptionsSince: '1.20',
  },
  {
    // Amazon RDS, "Avoiding pinning an RDS Proxy". It does not name statements of the protocol, which RDS Proxy shares since November 2023 (AWS
    // database blog, extended query protocol). `options` is refused: "RDS Proxy currently doesn't support command-line options".
    kind: 'rds-proxy',
    name: 'RDS Proxy',
    behaviours: {
      transaction: {
        set: pins,
        'advisory-lock': pins,
        listen: pins,
        'temp-table': pins,
        prepare: pins,
        load: pins,
        'cursor-with-hold': pins,
        'startup-options': breaks,
      },
    },
  },
  {
    // PgDog's pages on transaction mode and prepared statements: settings are restored, a session lock keeps its backend; LISTEN needs `pub_sub_channel_size`.
    kind: 'pgdog',
    name: 'PgDog',
    behaviours: {
      transaction: {
        ...stateBreaks,
        set: works,
        'advisory-lock': pins,
        listen: [{ outcome: 'breaks', remark: 'or set `pub_sub_channel_size` in PgDog' }],
        'named-statement': works,
        'startup-parameter': works,
        'startup-options': works,
      },
    },
  },
  {
    // Odyssey's documentation: `pool_discard` runs DISCARD ALL between clients; `pool_reserve_prepared_statement` since 1.3, off by default.
    kind: 'odyssey',
    name: 'Odyssey',
    behaviours: {
      transaction: {
        ...stateBreaks,
        'named-statement': [
          { outcome: 'breaks', until: '1.3' },
          {
            outcome: 'breaks',
            since: '1.3',
            remark:
              'or switch `pool_reserve_prepared_statement` on in Odyssey and switch this rule off here',
          },
        ],
      },
    },
  },
  {
    // PgCat's README and CONFIG.md: SET and advisory locks of the session are not supported in transaction mode; `prepared_statements_cache_size` is 0 by default.
    kind: 'pgcat',
    name: 'PgCat',
    behaviours: { transaction: { ...stateBreaks, 'named-statement': breaks } },
  },
];

/** What a pooler makes of something; undefined when that is not known. */
export function behaviourOf(
  { behaviours }: Pooler,
  mode: PoolMode,
  subject: Subject,
  version: string | undefined,
): Behaviour | undefined {
  const known =
    behaviours[mode]?.[subject] ??
    (mode === 'statement' ? behaviours.transaction?.[subject] : undefined);
  return version === undefined
    ? known?.[0]
    : known?.find(
        ({ since = '0', until }) =>
          isAtLeast(version, since) && (until === undefined || !isAtLeast(version, until)),
      );
}

/** Whether it keeps a setting with the client. Where the version is not known, it is taken to be new enough. */
export function isTracked(
  { trackedSettings = {} }: Pooler,
  setting: string,
  version: string | undefined,
): boolean {
  const since = trackedSettings[setting];
  return since !== undefined && (version === undefined || isAtLeast(version, since));
}

/** Whether it reads `options` when a connection starts. Where the version is not known, it is taken to be new enough. */
export function readsOptions({ readsOptionsSince }: Pooler, version: string | undefined): boolean {
  return (
    readsOptionsSince !== undefined &&
    (version === undefined || isAtLeast(version, readsOptionsSince))
  );
}

/** True when `version` (such as `1.24.1`) is `since` or newer. */
function isAtLeast(version: string, since: string): boolean {
  const [parts, wanted] = [version, since].map((text) => text.split('.').map(Number));
  const different = wanted?.findIndex((part, index) => part !== (parts?.[index] ?? 0)) ?? -1;
  return different < 0 || (parts?.[different] ?? 0) > (wanted?.[different] ?? 0);
}
