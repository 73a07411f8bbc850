import type { Site } from './labels.ts';

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
  { id: 'leak', name: 'leak', rules: ['no-unreleased-client'], isOfAcquire: true, isBug: ({ label }) => label.startsWith('leak') },
  { id: 'double', name: 'double release', rules: ['no-double-release'], isOfAcquire: false, isBug: ({ label }) => label === 'double-release' },
  { id: 'use-after', name: 'use after release', rules: ['no-use-after-release'], isOfAcquire: false, isBug: ({ label }) => label === 'use-after-release' },
  { id: 'held', name: 'held across a slow call', rules: ['no-external-await-while-holding'], isOfAcquire: false, isBug: ({ heldExternal }) => heldExternal.startsWith('yes') },
  {
    id: 'session',
    name: 'session state',
    rules: ['no-session-state', 'no-pooler-incompatible'],
    isOfAcquire: false,
    isBug: ({ sessionState }) => /^(?:set(?!_local)|listen|advisory_session|named_prepared|temp_table|other)/u.test(sessionState),
  },
  { id: 'nested', name: 'second client while holding one', rules: ['no-nested-checkout'], isOfAcquire: false, isBug: ({ extras }) => extras.includes('nested') },
];

/** The rules that should speak before a fix of each kind. */
export const pairClasses: Readonly<Record<string, readonly string[]>> = {
  unreleased: ['no-unreleased-client', 'no-double-release', 'no-use-after-release'],
  'held-external': ['no-external-await-while-holding'],
  'session-state': ['no-session-state', 'no-open-transaction-release'],
  'txn-on-pool': ['no-transaction-on-pool'],
  'pool-per-request': ['no-pool-per-request'],
  nested: ['no-nested-checkout'],
  'concurrent-client': ['no-concurrent-client-query'],
  'no-error-handler': ['require-pool-error-handler'],
};
