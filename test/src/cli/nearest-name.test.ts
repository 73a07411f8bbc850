import { expect, test } from 'vitest';
import { nearestName } from '../../../src/cli/nearest-name.ts';
import { runInProcess } from '../../support/cli-run.ts';

const names = [
  'no-unreleased-client',
  'no-double-release',
  'no-nested-checkout',
  'no-end-pooled-client',
  'off',
];

test.each<readonly [typed: string, meant: string | null]>([
  ['no-unreleased', 'no-unreleased-client'],
  ['no-unreleased-clients', 'no-unreleased-client'],
  ['unreleased-client', 'no-unreleased-client'],
  ['no-duoble-release', 'no-double-release'],
  ['no-nested-chekout', 'no-nested-checkout'],
  ['my-no-nested-checkout-rule', 'no-nested-checkout'],
  ['client', 'no-unreleased-client'],
  ['of', 'off'],
  ['no-', null],
  ['no', null],
  ['', null],
  ['no-such-rule', null],
  ['x'.repeat(100_000), null],
])('%.30s is near to %s', (typed, meant) => {
  expect(nearestName(typed, names)).toBe(meant);
});

test('a rule that is misspelt is answered with the one that was meant before all others are listed', async () => {
  const { code, stderr } = await runInProcess([
    'lint',
    '--rule',
    'no-unreleased=error',
    'vitest.config.ts',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /there is no rule no-unreleased\. Did you mean no-unreleased-client\? The rules are no-accidental-destroy, /,
  );
  expect(
    (await runInProcess(['lint', '--rule', 'poolguard/no-duoble-release=off', 'vitest.config.ts']))
      .stderr,
  ).toContain('Did you mean no-double-release? ');
  expect(
    (await runInProcess(['lint', '--rule', 'no-such-rule=off', 'vitest.config.ts'])).stderr,
  ).toContain('there is no rule no-such-rule. The rules are ');
});
