import { expect, test } from 'vitest';
import { statusText } from '../../../../src/editor/findings/status-text.ts';
import type { FileStatus } from '../../../../src/server/protocol.ts';

const checked = (errors: number, warnings: number, ...aside: readonly string[]): FileStatus => ({
  kind: 'checked',
  errors,
  warnings,
  aside,
});

test.each([
  [checked(2, 1), '2 errors, 1 warning', undefined],
  [checked(0, 2), '2 warnings', undefined],
  [checked(0, 0), 'No findings', undefined],
  [
    checked(0, 0, 'poolguard/a', 'poolguard/b', 'poolguard/c'),
    'No findings',
    'ESLint reports 3 rules here',
  ],
  [checked(1, 0, 'poolguard/a'), '1 error', 'ESLint reports 1 rule here'],
  [
    { kind: 'unparsable', sentence: "';' expected.", line: 7 },
    'Not checked: syntax error (line 7)',
    "';' expected.",
  ],
  [
    { kind: 'failed', sentence: 'Maximum call stack size exceeded.' },
    'Not checked: Poolguard failed unexpectedly',
    'Maximum call stack size exceeded.',
  ],
  [{ kind: 'skipped', because: 'off' }, 'Not checked: off', 'poolguard.lint.enable'],
  [
    { kind: 'skipped', because: 'no driver' },
    'Not checked: no pool driver in this package',
    'Neither its package.json nor its code names one.',
  ],
] satisfies [FileStatus, string, string | undefined][])(
  '%o is told as "%s"',
  (status, text, detail) => {
    const told = statusText('running', status);
    expect([told.text, told.detail]).toEqual([text, detail]);
  },
);

test('a server that starts is busy, one that nobody needs is not, one that has stopped leads to another start', () => {
  expect(statusText('starting', undefined)).toEqual({ text: 'Starting', isBusy: true });
  expect(statusText('resting', undefined)).toEqual({
    text: 'Nothing to check: no pool driver in this workspace',
    detail: expect.stringContaining('names one') as string,
  });
  expect(statusText('running', undefined)).toMatchObject({ isBusy: true });
  expect(statusText('stopped', checked(1, 0))).toMatchObject({ isError: true, leadsTo: 'restart' });
});

test('findings lead to the problems, a setting to the settings, and nothing to nowhere', () => {
  expect(statusText('running', checked(1, 0)).leadsTo).toBe('problems');
  expect(statusText('running', { kind: 'skipped', because: 'excluded' }).leadsTo).toBe('settings');
  expect(statusText('running', checked(0, 0)).leadsTo).toBeUndefined();
});
