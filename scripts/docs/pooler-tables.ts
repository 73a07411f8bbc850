import {
  poolers,
  type Behaviour,
  type Outcome,
  type Pooler,
  type PoolMode,
  type Subject,
} from '../../rules/model/poolers.ts';
import { markdownTable } from './markdown-table.ts';

/** What an application does, in the words of the page; the order is that of the table. */
const subjects: Readonly<Record<Subject, string>> = {
  set: '`SET`, `set_config(…, false)`',
  'advisory-lock': 'session advisory locks',
  listen: '`LISTEN`',
  'temp-table': 'temporary tables that outlive their transaction',
  prepare: '`PREPARE`, `EXECUTE`, `DEALLOCATE`',
  'named-statement': 'named statements of the driver (`{ name, text }`)',
  'cursor-with-hold': '`DECLARE … WITH HOLD`',
  load: '`LOAD`',
  'startup-parameter': 'timeouts in the configuration of `pg` (`statement_timeout` and similar)',
  'startup-options': '`options` in the configuration of `pg`',
  transaction: 'a transaction of several statements',
};

const outcomes: Readonly<Record<Outcome, string>> = {
  leaks: 'reaches others',
  breaks: 'fails',
  pins: 'pins',
  works: 'works',
};

/** What each pooler makes of it in transaction mode; in a cell, what differs by version. */
export function poolerTable(): string {
  const rows = namesOf((subject) =>
    poolers.some((pooler) => pooler.behaviours.transaction?.[subject] !== undefined),
  );
  return markdownTable(
    ['in transaction mode', ...poolers.map(({ name }) => name)],
    rows.map((subject) => [
      subjects[subject],
      ...poolers.map((pooler) => cellOf(pooler.behaviours.transaction?.[subject])),
    ]),
  );
}

/** PgBouncer by mode. Statement mode is like transaction mode where it says nothing else. */
export function pgBouncerTable(): string {
  const pgBouncer = poolers.find(({ kind }) => kind === 'pgbouncer');
  const modes: readonly PoolMode[] = ['session', 'transaction', 'statement'];
  const rows = namesOf(() => true).map((subject) => [
    subjects[subject],
    ...modes.map((mode) => cellOf(behavioursOf(pgBouncer, mode, subject))),
  ]);
  return markdownTable(['PgBouncer', ...modes.map((mode) => `${mode} mode`)], rows);
}

/** The settings that PgBouncer keeps with the client, so that a SET of them is fine. */
export function trackedSettings(): string {
  const tracked = Object.entries(
    poolers.find(({ kind }) => kind === 'pgbouncer')?.trackedSettings ?? {},
  );
  return `${tracked.map(([setting, since]) => (since === '1.0' ? `\`${setting}\`` : `\`${setting}\` from ${since}`)).join(', ')}.`;
}

function behavioursOf(
  pooler: Pooler | undefined,
  mode: PoolMode,
  subject: Subject,
): readonly Behaviour[] | undefined {
  return (
    pooler?.behaviours[mode]?.[subject] ??
    (mode === 'statement' ? pooler?.behaviours.transaction?.[subject] : undefined)
  );
}

function namesOf(isShown: (subject: Subject) => boolean): readonly Subject[] {
  return (Object.keys(subjects) as Subject[]).filter(isShown);
}

/** Neighbours with the same outcome become one: what differs between them is the cure, which the rule tells. */
function cellOf(behaviours: readonly Behaviour[] | undefined): string {
  if (behaviours === undefined) return '–';
  const merged = behaviours.filter(
    ({ outcome }, index) => outcome !== behaviours[index - 1]?.outcome,
  );
  if (merged.length === 1) return merged.map(({ outcome }) => outcomes[outcome]).join('');
  return merged
    .map(
      ({ outcome, since }, index) =>
        `${outcomes[outcome]} ${since === undefined || index === 0 ? `before ${merged[index + 1]?.since ?? ''}` : `from ${since}`}`,
    )
    .join(', ');
}
