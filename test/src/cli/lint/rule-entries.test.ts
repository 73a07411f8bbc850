import { expect, test } from 'vitest';
import { readRuleEntries, settle } from '../../../../src/cli/lint/rule-entries.ts';
import { readRuleOption } from '../../../../src/cli/lint/rule-option.ts';
import { poolguardRules } from '../../../../src/lint/known-rules.ts';

test.each<[string, unknown]>([
  ['no-session-state=error', { severity: 'error', options: [] }],
  ['no-session-state: off', { severity: 'off', options: [] }],
  ['poolguard/no-session-state:1', { severity: 'warn', options: [] }],
  [
    'no-session-state: [error, { allow: [set], allowSettings: [search_path] }]',
    { severity: 'error', options: [{ allow: ['set'], allowSettings: ['search_path'] }] },
  ],
  [
    '{"no-session-state": ["warn", {"allow": ["listen"]}]}',
    { severity: 'warn', options: [{ allow: ['listen'] }] },
  ],
])('--rule %s', async (typed, entry) => {
  expect(await readRuleOption(typed, poolguardRules)).toEqual({
    'poolguard/no-session-state': entry,
  });
});

test.each([
  [
    'no-sesion-state: error',
    /^--rule: there is no rule no-sesion-state\. Did you mean no-session-state\? The rules are .+\.$/u,
  ],
  ['no-nested-checkout', /^--rule: no-nested-checkout is not a rule with its severity\. Write /u],
  ['no-nested-checkout: [error', /^--rule: no-nested-checkout: \[error is not a rule /u],
  ['no-nested-checkout: fatal', /^--rule: poolguard\/no-nested-checkout has no severity\. Write /u],
  [
    'no-double-release: [error, {allow: []}]',
    /^--rule: poolguard\/no-double-release has no options\.$/u,
  ],
  [
    'no-session-state: [error, {allow: [set, lisen]}]',
    /are not valid: allow\[1\] is not one of set, listen, .+\.$/u,
  ],
  ['require-connection-timeout: [error, {maximum: 0}]', /are not valid: maximum is too small\.$/u],
  ['no-unreleased-client: [2, {}, {}]', /are not valid: it is too long\.$/u],
])('--rule %s is refused', async (typed, sentence) => {
  await expect(readRuleOption(typed, poolguardRules)).rejects.toThrow(sentence);
});

test('every option of every rule is known to the command line', () => {
  const options = poolguardRules.rules.flatMap(({ id, options: known = {} }) =>
    Object.keys(known).map((name) => [id, name] as const),
  );
  expect(options.length).toBeGreaterThan(5);
  for (const [id, name] of options)
    expect(() =>
      readRuleEntries({ [id]: ['warn', { [name]: { no: 'value' } }] }, 'here', poolguardRules),
    ).toThrow(`here: the options of ${id} are not valid: ${name} is`);
});

test('the last entry counts, and a severity alone leaves the options', () => {
  const { severities, options } = settle(
    poolguardRules,
    { 'poolguard/no-double-release': 'warn' },
    [
      readRuleEntries({ 'no-session-state': ['warn', { allow: ['set'] }] }, 'a', poolguardRules),
      readRuleEntries({ 'no-session-state': 2 }, 'b', poolguardRules),
    ],
  );
  expect(severities).toMatchObject({
    'poolguard/no-double-release': 'warn',
    'poolguard/no-session-state': 'error',
    'poolguard/prefer-pool-query': 'off',
  });
  expect(options).toEqual({ 'poolguard/no-session-state': [{ allow: ['set'] }] });
});
