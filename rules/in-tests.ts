import type { RuleOptions } from './rule-text.ts';

/** For rules about load, which a test does not have. */
export interface InTests {
  readonly inTests: boolean;
}

export const inTests: RuleOptions<InTests> = {
  properties: {
    inTests: {
      type: 'boolean',
      description:
        'Report in test files, too: in folders `test`, `tests` and `__tests__`, and in files such as `user.test.ts`, `user-spec.js` and `test-user.mjs`.',
    },
  },
  defaults: { inTests: false },
  accepts: ({ isInTest = false }, options) => options.inTests || !isInTest,
};
