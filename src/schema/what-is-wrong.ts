import type { BaseIssue } from 'valibot';

/** By the kind of schema that is not met. */
const words: Readonly<Record<string, string>> = {
  string: 'is no text',
  number: 'is no number',
  finite: 'is no number',
  gt_value: 'is no number above 0',
  integer: 'is no whole number',
  min_value: 'is too small',
  max_value: 'is too large',
  min_length: 'is too short',
  max_length: 'is too long',
  boolean: 'is neither true nor false',
  array: 'is no list',
  strict_tuple: 'is no pair',
  object: 'is no object',
  strict_object: 'is no object',
  record: 'is no object',
  check: 'is no object',
  custom: 'is no object',
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
        : (words[issue.type] ?? `is none of ${choices(issue.expected ?? '')}`);
  return `${path === '' ? 'it' : path} ${what}`;
}

/** `("a" | "b")` as "a, b". */
function choices(expected: string): string {
  return expected.replaceAll(/[()"]/gu, '').replaceAll(' | ', ', ');
}
