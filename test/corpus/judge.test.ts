import { describe, expect, test } from 'vitest';
import { transactionClasses, type Label } from './runner/classes.ts';
import { judgeFile } from './runner/judge.ts';
import type { Site } from './runner/labels.ts';
import { lineScoreOf, outcomeOf } from './runner/score.ts';

const nothing: Label = { verdict: 'fine', lines: [], text: '-' };
const unclear: Label = { verdict: 'unclear', lines: [], text: '?' };
const bug = (...lines: readonly number[]): Label => ({ verdict: 'bug', lines, text: 'bug' });

function transaction(line: number, endLine: number, labels: Readonly<Record<string, Label>>): Site {
  const place = { repo: 'owner/alpha', commit: '0'.repeat(40), path: 'src/app.ts', line };
  const all = { outer: nothing, slow: nothing, concurrent: nothing, manual: nothing, ...labels };
  return {
    ...place,
    endLine,
    library: 'knex',
    isHeadline: true,
    labels: all,
    firstLabels: all,
    reason: 'why',
  };
}

const outer = 'no-nested-checkout';
const leak = 'no-unreleased-client';

/** How each site fares in a class, and which lines with a report count for nothing. */
function judge(
  id: string,
  sites: readonly Site[],
  reported: readonly (readonly [number, string])[],
) {
  const bugClass = transactionClasses.find((each) => each.id === id);
  if (bugClass === undefined) throw new Error(`no class ${id}`);
  const reports = reported.map(([line, rule]) => ({ rule, line, message: 'm' }));
  const source = { path: 'src/app.ts', reports, functions: [], trouble: null, milliseconds: 0 };
  const judged = judgeFile(sites, source, transactionClasses);
  return {
    outcomes: judged.sites.map((site) => outcomeOf(site, bugClass)),
    lines: lineScoreOf(judged.sites, bugClass),
    outside: judged.outside.map(({ line }) => line),
  };
}

describe('a transaction whose labels name lines', () => {
  test('is found by a report on one of them, one line up or down', () => {
    const sites = [transaction(1, 20, { outer: bug(5, 10) })];
    expect(judge('outer', sites, [[6, outer]])).toEqual({
      outcomes: ['found'],
      lines: { lines: 2, found: 1 },
      outside: [],
    });
  });

  test('is missed when only other lines are reported, and these are no false alarms', () => {
    const sites = [transaction(1, 20, { outer: bug(5) })];
    expect(judge('outer', sites, [[9, outer]])).toMatchObject({ outcomes: ['missed'] });
    const both = judge('outer', sites, [
      [5, outer],
      [9, outer],
    ]);
    expect(both).toMatchObject({ outcomes: ['found'], outside: [9] });
  });

  test('is a false alarm when the label says none, and nothing when nobody could decide', () => {
    const report = [[5, outer]] as const;
    const fine = [transaction(1, 20, {})];
    expect(judge('outer', fine, report)).toMatchObject({ outcomes: ['false alarm'], outside: [] });
    const open = [transaction(1, 20, { outer: unclear })];
    expect(judge('outer', open, report)).toMatchObject({ outcomes: ['nothing'], outside: [5] });
  });

  test('gives a report to the innermost, unless the label of another one names the line', () => {
    const inner = transaction(5, 9, {});
    const plain = [transaction(1, 20, {}), inner];
    const outcomes = judge('outer', plain, [[7, outer]]).outcomes;
    expect(outcomes).toEqual(['nothing', 'false alarm']);
    const named = [transaction(1, 20, { outer: bug(5) }), inner];
    expect(judge('outer', named, [[5, outer]]).outcomes).toEqual(['found', 'nothing']);
  });

  test('leaves reports outside of every region alone', () => {
    expect(judge('outer', [transaction(1, 20, {})], [[30, outer]])).toMatchObject({
      outcomes: ['nothing'],
      outside: [30],
    });
  });
});

describe('a transaction that code ends', () => {
  const sites = [transaction(3, 20, { manual: bug() })];

  test('is found by a report on the line where it begins, one line up or down', () => {
    expect(judge('manual', sites, [[4, leak]]).outcomes).toEqual(['found']);
    expect(judge('manual', sites, [[8, leak]])).toMatchObject({
      outcomes: ['missed'],
      outside: [8],
    });
  });
});

test('several queries at a time are no bug where the library sends them one after the other', () => {
  const labelOf = transactionClasses.find(({ id }) => id === 'concurrent')?.labelOf;
  const row = (library: string) => (column: string) => (column === 'library' ? library : '7,9');
  expect(labelOf?.(row('prisma'))).toMatchObject({ verdict: 'fine', lines: [] });
  expect(labelOf?.(row('knex'))).toMatchObject({ verdict: 'bug', lines: [7, 9] });
});
