import type { Linter } from 'eslint';
import plugin, { findingsOf } from '../../../rules/index.ts';
import type { PrintedProgram } from './print-program.ts';
import type { Mistake, Truth } from './run-program.ts';

/** What the analysis says of one acquire. */
export interface Report {
  readonly rule: string;
  readonly site: number;
  readonly messageId: string;
}

export type Disagreement =
  | { readonly kind: 'false alarm'; readonly report: Report }
  | { readonly kind: 'missed'; readonly mistake: Mistake };

/** The rule that speaks of each kind of mistake. */
const ruleOf: Readonly<Record<Mistake['kind'], string>> = {
  leaked: 'no-unreleased-client',
  'released twice': 'no-double-release',
  'used after release': 'no-use-after-release',
  'nested checkout': 'no-nested-checkout',
  'released in a transaction': 'no-open-transaction-release',
};
const judged: ReadonlySet<string> = new Set(Object.values(ruleOf));

/** What a query that is still on its way does to the next borrower is not run. */
const unjudged: ReadonlySet<string> = new Set(['returnedUnsettled', 'notAwaited']);

const config: Linter.Config = {
  plugins: { poolguard: plugin },
  rules: Object.fromEntries([...judged].map((rule) => [`poolguard/${rule}`, 'error'])),
};

/** The program as a whole file. */
export function sourceOf({ text, sites }: PrintedProgram): string {
  const pools = Array.from({ length: sites }, (_, index) => `const pool${index + 1} = new Pool();`);
  return [
    "import { Pool } from 'pg';",
    "import { check, events, holder, log, more, pick, registry, stranger, work } from 'world';",
    ...pools,
    'let shared;',
    text,
    '',
  ].join('\n');
}

export function reportsOn(program: PrintedProgram, linter: Linter): readonly Report[] {
  const source = sourceOf(program);
  const lines = source.split('\n');
  const failure = linter
    .verify(source, [config], { filename: 'program.js' })
    .find(({ messageId }) => messageId === undefined);
  if (failure !== undefined) throw new Error(`${failure.message}\n${source}`);
  return findingsOf(linter.getSourceCode()).flatMap(({ rule, messageId, steps: [acquired] }) => {
    if (acquired === undefined || !judged.has(rule)) return [];
    const { line, column } = acquired.place.start;
    const site = /(?:pool|[gG]etClientOf|database|openSession|withClient)(?<site>\d+)/u.exec(
      (lines[line - 1] ?? '').slice(column),
    )?.groups?.['site'];
    return [{ rule, site: Number(site), messageId }];
  });
}

/** Where the analysis and the truth differ. An acquire that no run reaches is judged as if one did, so nothing is said of it. */
export function compare(
  program: PrintedProgram,
  truth: Truth,
  reports: readonly Report[],
): readonly Disagreement[] {
  const falseAlarms = reports.filter(
    ({ rule, site, messageId }) =>
      truth.isComplete &&
      truth.acquired.has(site) &&
      !unjudged.has(messageId) &&
      !truth.mistakes.some((mistake) => mistake.site === site && ruleOf[mistake.kind] === rule),
  );
  const missed = truth.mistakes.filter(
    (mistake) =>
      truth.acquired.has(mistake.site) &&
      !silences.some(
        ({ kinds, holds }) =>
          (kinds === undefined || kinds.includes(mistake.kind)) &&
          holds(mistake, { program, truth, reports }),
      ) &&
      !reports.some(({ rule, site }) => site === mistake.site && rule === ruleOf[mistake.kind]),
  );
  return [
    ...falseAlarms.map((report) => ({ kind: 'false alarm' as const, report })),
    ...missed.map((mistake) => ({ kind: 'missed' as const, mistake })),
  ];
}

interface Context {
  readonly program: PrintedProgram;
  readonly truth: Truth;
  readonly reports: readonly Report[];
}

interface Silence {
  readonly because: string;
  /** The kinds of mistakes of which nothing need be said; all when not given. */
  readonly kinds?: readonly Mistake['kind'][];
  readonly holds: (mistake: Mistake, context: Context) => boolean;
}

const misuses = ['released twice', 'used after release', 'released in a transaction'] as const;

/** Where the analysis says nothing on purpose. */
const silences: readonly Silence[] = [
  {
    because: 'A loop that checks out again while it holds a client has lost that one: a leak.',
    kinds: ['nested checkout'],
    holds: ({ site }, { program: { nested } }) => !nested.has(site),
  },
  {
    because: 'A client that is lent to a function and released nowhere may have found a new owner.',
    kinds: ['leaked'],
    holds: ({ site }, { program: { lent, released }, truth }) =>
      lent.has(site) && !(released.has(site) && truth.released.has(site)),
  },
  {
    because: 'Whoever gets a function that can give the client away may answer for the client.',
    holds: ({ site }, { program: { captured } }) => captured.has(site),
  },
  {
    because: 'Who holds an object that carries the client and releases it may answer for it.',
    holds: ({ site }, { program: { carried, released } }) =>
      carried.has(site) && released.has(site),
  },
  {
    because: 'A function that releases its client on some way is trusted to do so when it fails.',
    kinds: ['leaked', 'nested checkout'],
    holds: ({ site }, { program: { trusted } }) => trusted.has(site),
  },
  {
    because: 'When a callback runs, or a chain that nobody waits for, is known to its caller only.',
    kinds: misuses,
    holds: ({ site }, { program: { detached } }) => detached.has(site),
  },
  {
    because: 'Whoever gets the client may end its transaction, and a test may know whether to.',
    kinds: ['released in a transaction'],
    holds: ({ site }, { program: { lent, endedBehindTest } }) =>
      lent.has(site) || endedBehindTest.has(site),
  },
  {
    because: 'Whoever a client was handed over to may have ended its transaction.',
    kinds: ['released in a transaction'],
    holds: ({ site }, { program: { text, variableOf } }) =>
      new RegExp(`(?:push\\(|= )(?:\\{ )?client${variableOf(site)}\\b`, 'u').test(text),
  },
  {
    because: 'What speaks of the end of a transaction to somebody else may end this one.',
    kinds: ['released in a transaction'],
    holds: ({ site }, { program: { ended, variableOf } }) =>
      [...ended].some((other) => variableOf(other) !== variableOf(site)),
  },
  {
    because: 'A client that was returned is followed no further, whatever a `finally` does then.',
    holds: ({ kind, how, site }, { program: { text, variableOf } }) =>
      (kind !== 'leaked' || how === 'threw') &&
      text.includes('finally') &&
      text.includes(`return client${variableOf(site)};`),
  },
  {
    because: 'A release under a test, in a loop or in a helper, may be meant for its last round.',
    kinds: misuses,
    holds: ({ site }, { program: { doubtful } }) => doubtful.has(site),
  },
  {
    because:
      'Where something is said of what happens after a release, the leak is part of the same mistake.',
    kinds: ['leaked'],
    holds: ({ site }, { reports }) => reports.some((report) => report.site === site),
  },
  {
    because:
      'A place behind a release has one finding, whichever client its variable holds by then.',
    holds: ({ site }, { program: { variableOf }, reports }) =>
      reports.some(
        (report) => report.rule !== ruleOf.leaked && variableOf(report.site) === variableOf(site),
      ),
  },
];

/** One line: what differs where, and the answers of the run that shows it. */
export function describeDisagreement(disagreement: Disagreement): string {
  if (disagreement.kind === 'false alarm') {
    const { site, messageId, rule } = disagreement.report;
    return `// false alarm on pool${site}: ${rule} ${messageId}, but no run does that`;
  }
  const { kind, site, how, choices } = disagreement.mistake;
  const answers = choices.map(({ question, answer }) => `${question} = ${answer}`).join(', ');
  return `// missed on pool${site}: ${kind} in a run that ${how} (${answers})`;
}
