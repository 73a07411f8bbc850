import type { BaseIssue } from 'valibot';

/** By the kind of schema that is not met. */
const words: Readonly<Record<string, string>> = {
  string: 'is not a string',
  number: 'is not a number',
  finite: 'is not a number',
  gt_value: 'is not a number above 0',
  integer: 'is not a whole number',
  min_value: 'is too small',
  max_value: 'is too large',
  min_length: 'is too short',
  max_length: 'is too long',
  boolean: 'is neither true nor false',
  array: 'is not a list',
  strict_tuple: 'is not a pair',
  object: 'is not an object',
  strict_object: 'is not an object',
  record: 'is not an object',
  check: 'is not an object',
  custom: 'is not an object',
  partial_check: 'contradicts the rest',
  regex: 'has another form',
};

/** The first thing that is not as it should be: "sizes[2].throughput is no number". */
export function whatIsWrong([issue]: readonly [BaseIssue<unknown>, ...unknown[]]): string {
  const path = (issue.path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./u, '');
  const what =
    issue.received === 'undefined'
      ? 'is missing'
      : issue.expected === 'never'
        ? 'is not known'
        : (words[issue.type] ?? `is not one of ${choices(issue.expected ?? '')}`);
  return `${path === '' ? 'it' : path} ${what}`;
}

/** `("a" | "b")` as "a, b". */
function choices(expected: string): string {
  return expected.replaceAll(/[()"]/gu, '').replaceAll(' | ', ', ');
}
