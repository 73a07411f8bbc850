import { expect, test } from 'vitest';
import { ownersQuestion, planLines } from '../../../../src/editor/probe/plan-words.ts';
import type { WorkloadRequest } from '../../../../src/probe/request.ts';
import { hostileTexts } from '../../../support/hostile-text.ts';
import { aPlan } from '../../../support/probe-result.ts';

const workload: WorkloadRequest = {
  kind: 'statements',
  statements: [
    { text: 'SELECT * FROM orders WHERE customer_id = $1', weight: 1, parameters: ['1..10'] },
  ],
};

test('a question names the statement with its values, who runs it, connections and seconds', () => {
  expect(planLines(aPlan, workload)).toEqual([
    'SELECT * FROM orders WHERE customer_id = $1',
    'With $1 = 1..10.',
    '',
    'Called functions:',
    'public.order_total(integer): plpgsql, volatile',
    '',
    'As app.',
    'Opens up to 9 of 17 free connections for about 12 seconds.',
    'Pool sizes 1, 2, 3, 4, 6, 8; the largest is 8: half of the 17 connections that are free.',
    'The server is on another machine: its processor cannot be watched.',
  ]);
  expect(planLines(aPlan, { kind: 'stand-in' })).not.toContainEqual(
    expect.stringMatching(/^With/u),
  );
});

test('whatever a server or a file says is one plain line of the question', () => {
  const [first = '', ...others] = hostileTexts;
  const plan = {
    ...aPlan,
    statements: hostileTexts,
    calls: hostileTexts,
    notes: others,
    role: { name: first, power: null },
    cap: { size: 8, because: first },
  };
  const lines = planLines(plan, {
    kind: 'statements',
    statements: hostileTexts.map((text) => ({ text, weight: 1, parameters: [text] })),
  });
  expect(lines.filter((line) => /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(line))).toEqual([]);
});

test('a question about owners names each with what it owns, in plain lines', () => {
  expect(ownersQuestion([{ name: 'app', owns: '37 functions, 12 views' }])).toMatchObject({
    title: 'Trust app?',
    run: 'Trust app',
    detail: expect.stringContaining('\napp: 37 functions, 12 views\n') as string,
  });
  const { title, detail } = ownersQuestion(
    Array.from({ length: 20 }, (_, at) => ({
      name: `${hostileTexts[at % hostileTexts.length]}${at}`,
      owns: '1 view',
    })),
  );
  expect(title).toBe('Trust these 20 owners?');
  expect(detail).toContain('… and 8 more');
  expect(
    detail.split('\n').filter((line) => /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(line)),
  ).toEqual([]);
});
