import type { Cell } from './table.ts';

/** What a person says of a site about one class of bugs. */
export interface Label {
  readonly verdict: 'bug' | 'fine' | 'unclear';
  /** Where it should be reported; empty when the place of the site says that. */
  readonly lines: readonly number[];
  /** As it stands in the table. */
  readonly text: string;
}

/** Rules that report at the acquire, so that each report belongs to that one; those of the others may stand anywhere in what is around it. */
export const acquireRules: ReadonlySet<string> = new Set(['no-unreleased-client']);

/** A kind of bug, the rules that should report it, and the label that a person gave. */
export interface BugClass {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly string[];
  readonly labelOf: (cell: Cell) => Label;
}

/** Of a row of sites.tsv, where one column may make the whole row unclear. */
function labelledAs(
  isBug: (cell: Cell) => boolean,
  isOpen: (cell: Cell) => boolean = () => false,
): BugClass['labelOf'] {
  return (cell) => {
    const text = cell('label');
    if (text === 'unclear') return { verdict: 'unclear', lines: [], text };
    const clear = isOpen(cell) ? 'unclear' : 'fine';
    return { verdict: isBug(cell) ? 'bug' : clear, lines: [], text };
  };
}

/** One site may have several bugs: the label names the one of its release, the tags name others. */
function isTagged(cell: Cell, tag: string): boolean {
  return cell('extras').split(',').includes(tag);
}

export const checkoutClasses: readonly BugClass[] = [
  {
    id: 'leak',
    name: 'leak',
    rules: ['no-unreleased-client'],
    labelOf: labelledAs((cell) => cell('label').startsWith('leak')),
  },
  {
    id: 'double',
    name: 'double release',
    rules: ['no-double-release'],
    labelOf: labelledAs(
      (cell) => cell('label') === 'double-release' || isTagged(cell, 'double-release'),
    ),
  },
  {
    id: 'use-after',
    name: 'use after release',
    rules: ['no-use-after-release'],
    labelOf: labelledAs(
      (cell) => cell('label') === 'use-after-release' || isTagged(cell, 'use-after-release'),
      // Whether what is not awaited still runs at the release, the tag does not say.
      (cell) => isTagged(cell, 'unawaited'),
    ),
  },
  {
    id: 'held',
    name: 'held across a slow call',
    rules: ['no-external-await-while-holding'],
    labelOf: labelledAs((cell) => cell('held_external').startsWith('yes')),
  },
  {
    id: 'session',
    name: 'session state',
    rules: ['no-session-state', 'no-pooler-incompatible'],
    labelOf: labelledAs((cell) =>
      /^(?:set(?!_local)|listen|advisory_session|named_prepared|temp_table|other)/u.test(
        cell('session_state'),
      ),
    ),
  },
  {
    id: 'nested',
    name: 'second client while holding one',
    rules: ['no-nested-checkout'],
    labelOf: labelledAs((cell) => isTagged(cell, 'nested')),
  },
];

/** Of a row of transactions.tsv: a column of lines, `-` for none, or `?`. */
function linesIn(column: string, harmlessIn: readonly string[] = []): BugClass['labelOf'] {
  return (cell) => {
    const value = cell(column);
    const text = `${column} ${value}`;
    if (value === '?') return { verdict: 'unclear', lines: [], text };
    if (value === '-' || harmlessIn.includes(cell('library')))
      return { verdict: 'fine', lines: [], text };
    return { verdict: 'bug', lines: value.split(',').map(Number), text };
  };
}

function endOf(cell: Cell): Label {
  const value = cell('manual');
  const clear = value.startsWith('leak') ? 'bug' : 'fine';
  return { verdict: value === '?' ? 'unclear' : clear, lines: [], text: `manual ${value}` };
}

/** They queue or pipeline the queries of a transaction by themselves, so that several at a time do no harm. */
const sendsInTurn = ['prisma', 'postgres', 'mikroorm'];

export const transactionClasses: readonly BugClass[] = [
  {
    id: 'outer',
    name: 'query outside the transaction',
    rules: ['no-nested-checkout'],
    labelOf: linesIn('outer'),
  },
  {
    id: 'slow',
    name: 'slow call inside',
    rules: ['no-external-await-while-holding'],
    labelOf: linesIn('slow'),
  },
  {
    id: 'concurrent',
    name: 'several queries at a time',
    rules: ['no-concurrent-client-query'],
    labelOf: linesIn('concurrent', sendsInTurn),
  },
  {
    id: 'manual',
    name: 'begun and not ended',
    rules: ['no-unreleased-client', 'no-open-transaction-release'],
    labelOf: endOf,
  },
];

const allClasses = [...checkoutClasses, ...transactionClasses];

export function classWith(id: string): BugClass | undefined {
  return allClasses.find((bugClass) => bugClass.id === id);
}

/** A kind of bug fix, and the rules that should speak before it. */
export interface PairClass {
  readonly id: string;
  readonly rules: readonly string[];
  /** A leak belongs to its acquire; the rest may be reported anywhere in the function around it. */
  readonly isOfAcquire: boolean;
}

/** By the rule of a fix pair, or by its rule and sub-class where these are found by rules of their own. */
const pairClasses: readonly PairClass[] = [
  {
    id: 'unreleased',
    rules: [
      'no-unreleased-client',
      'no-double-release',
      'no-use-after-release',
      'no-end-pooled-client',
    ],
    isOfAcquire: true,
  },
  {
    id: 'unreleased/double',
    rules: ['no-double-release', 'no-use-after-release'],
    isOfAcquire: false,
  },
  { id: 'held-external', rules: ['no-external-await-while-holding'], isOfAcquire: false },
  {
    id: 'session-state',
    rules: ['no-session-state', 'no-pooler-incompatible'],
    isOfAcquire: false,
  },
  {
    id: 'session-state/open-transaction',
    rules: ['no-open-transaction-release', 'no-swallowed-rollback-error'],
    isOfAcquire: false,
  },
  { id: 'txn-on-pool', rules: ['no-transaction-on-pool'], isOfAcquire: false },
  { id: 'pool-per-request', rules: ['no-pool-per-request'], isOfAcquire: false },
  { id: 'nested', rules: ['no-nested-checkout'], isOfAcquire: false },
  { id: 'concurrent-client', rules: ['no-concurrent-client-query'], isOfAcquire: false },
  { id: 'no-error-handler', rules: ['require-pool-error-handler'], isOfAcquire: false },
];

export function pairClassOf({
  rule,
  sub,
}: {
  readonly rule: string;
  readonly sub: string;
}): PairClass {
  const find = (id: string) => pairClasses.find((each) => each.id === id);
  return find(`${rule}/${sub}`) ?? find(rule) ?? { id: rule, rules: [], isOfAcquire: false };
}
