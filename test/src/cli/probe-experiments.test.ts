import { describe, expect, test } from 'vitest';
import type { AdviseResult } from '../../../src/probe/advise/advice.ts';
import type { SpikeResult } from '../../../src/probe/spike/spike-result.ts';
import { runInProcess } from '../../support/cli-run.ts';

test('spike needs no database', async () => {
  const { code, stdout } = await runInProcess([
    'probe',
    'spike',
    '--rate',
    '800',
    '--hold',
    '15',
    '--spike-hold',
    '200',
    '--spike-seconds',
    '3',
    '--sizes',
    '200,100',
    '--json',
  ]);
  const { rows, needed, neededInSpike } = JSON.parse(stdout) as SpikeResult;
  expect({
    code,
    needed,
    neededInSpike,
    backlogs: rows.map(({ max, backlog }) => [max, backlog]),
  }).toEqual({
    code: 0,
    needed: 12,
    neededInSpike: 160,
    backlogs: [
      [100, 900],
      [200, 0],
    ],
  });
});

test('advise speaks of formulas where nobody names a database', async () => {
  const { code, stdout } = await runInProcess([
    'probe',
    'advise',
    '--cores',
    '4',
    '--rate',
    '800',
    '--hold',
    '15',
    '--json',
  ]);
  const { server, advice, notes } = JSON.parse(stdout) as AdviseResult;
  expect({ code, server }).toEqual({ code: 0, server: null });
  expect(advice.guesses.find(({ name }) => name.startsWith('HikariCP'))?.size).toEqual([8, 9]);
  expect(advice.guesses.find(({ name }) => name.startsWith('Little'))?.size[0]).toBe(13);
  expect(notes.join(' ')).toMatch(/starting guesses/);
});

test('advise counts every pool of the application where nobody names a database too', async () => {
  const { stdout } = await runInProcess([
    'probe',
    'advise',
    '--workers',
    '4',
    '--instances',
    '3',
    '--json',
  ]);
  expect((JSON.parse(stdout) as AdviseResult).limits.pools).toBe(12);
});

test('spike has a statement timed from --top as from --sql', async () => {
  const { code, stderr } = await runInProcess([
    'probe',
    'spike',
    '--rate',
    '5',
    '--top',
    '3',
    '--yes',
  ]);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^No database named/) as unknown,
  });
});

describe('bad input ends with 2 and a sentence', () => {
  test.each<readonly [string, readonly string[], RegExp]>([
    [
      'stages that are none',
      ['sweep', '--stages', '10:5'],
      /Stages are written like 10s:10,20s:30/,
    ],
    [
      'a size of nothing',
      ['sweep', '--sizes', '0,5'],
      /whole numbers from 1 to 96 with commas between them, and "0" is none/,
    ],
    [
      'a rate of nothing',
      ['ramp', '--rates', '100,-1'],
      /whole numbers from 1 to 20000 with commas between them, and "-1" is none/,
    ],
    [
      'a spike without a rate',
      ['spike', '--hold', '5'],
      /^--rate is needed: requests per second at the peak, for example --rate 200\.\n$/,
    ],
    ['a spike without a hold time', ['spike', '--rate', '5'], /--hold is needed/],
    ['users without a hold time', ['advise', '--users', '5'], /need --hold/],
    ['no address', ['connect', '--yes'], /^No database named/],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await runInProcess(['probe', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});
