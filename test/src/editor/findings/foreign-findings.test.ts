import { describe, expect, it } from 'vitest';
import {
  findingsOfOthers,
  withoutDuplicates,
} from '../../../../src/editor/findings/foreign-findings.ts';

const at = (line: number) => ({ range: { start: { line } } });
const ours = {
  source: 'poolguard',
  code: { value: 'poolguard/no-unreleased-client', target: 'https://example.test' },
  ...at(3),
};

describe('our finding', () => {
  it.each([
    [
      'ESLint reports it',
      { source: 'eslint', code: { value: 'poolguard/no-unreleased-client' }, ...at(3) },
    ],
    [
      'ESLint reports it without a link',
      { source: 'eslint', code: 'poolguard/no-unreleased-client', ...at(3) },
    ],
    [
      'oxlint reports it',
      { source: 'oxc', code: { value: 'poolguard(no-unreleased-client)' }, ...at(3) },
    ],
  ])('steps aside when %s', (_, other) => {
    expect(withoutDuplicates([ours], findingsOfOthers([other]))).toEqual([]);
  });

  it.each([
    ['nobody else reports anything', []],
    ['only we report it', [ours]],
    [
      'the other report is about another line',
      [{ source: 'eslint', code: 'poolguard/no-unreleased-client', ...at(4) }],
    ],
    [
      'the other report is about another rule',
      [{ source: 'eslint', code: 'poolguard/no-session-state', ...at(3) }],
    ],
    [
      'the other report is about another plugin',
      [
        { source: 'eslint', code: 'no-unreleased-client', ...at(3) },
        { source: 'eslint', code: 7, ...at(3) },
        { source: undefined, ...at(3) },
        { source: 'constructor', code: null, ...at(3) },
      ],
    ],
  ])('stays when %s', (_, others) => {
    expect(withoutDuplicates([ours], findingsOfOthers(others))).toEqual([ours]);
  });
});
