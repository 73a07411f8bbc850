import type { FixPair, Site } from './labels.ts';

/** A kind of bug, the rules that should say it, and the label that a person gave. */
export interface BugClass {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly string[];
  /** A leak belongs to its acquire; the rest may be reported anywhere in the function around it. */
  readonly isOfAcquire: boolean;
  readonly isBug: (site: Site) => boolean;
}

export const bugClasses: readonly BugClass[] = [
  {
    id: 'leak',
    name: 'leak',
    rules: ['no-unreleased-client'],
    isOfAcquire: true,
    isBug: ({ label }) => label.startsWith('leak'),
  },
  {
    id: 'double',
    name: 'double release',
    rules: ['no-double-release'],
    isOfAcquire: false,
    isBug: ({ label }) => label === 'double-release',
  },
  {
    id: 'use-after',
    name: 'use after release',
    rules: ['no-use-after-release'],
    isOfAcquire: false,
    isBug: ({ label }) => label === 'use-after-release',
  },
  {
    id: 'held',
    name: 'held across a slow call',
    rules: ['no-external-await-while-holding'],
    isOfAcquire: false,
    isBug: ({ heldExternal }) => heldExternal.startsWith('yes'),
  },
  {
    id: 'session',
    name: 'session state',
    rules: ['no-session-state', 'no-pooler-incompatible'],
    isOfAcquire: false,
    isBug: ({ sessionState }) =>
      /^(?:set(?!_local)|listen|advisory_session|named_prepared|temp_table|other)/u.test(
        sessionState,
      ),
  },
  {
    id: 'nested',
    name: 'second client while holding one',
    rules: ['no-nested-checkout'],
    isOfAcquire: false,
    isBug: ({ extras }) => extras.includes('nested'),
  },
];

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

export function pairClassOf({ rule, sub }: FixPair): PairClass {
  const find = (id: string) => pairClasses.find((each) => each.id === id);
  return find(`${rule}/${sub}`) ?? find(rule) ?? { id: rule, rules: [], isOfAcquire: false };
}
