import { describe, expect, it } from 'vitest';
import { createInspector, createLinter } from '../../../src/lint/linter.ts';
import { poolguard, ruleIdsOf } from '../../../src/lint/analyser.ts';
import { createTinyAnalyser } from '../../support/tiny-analyser.ts';

const settings = {};
const source = {
  path: '/project/app.ts',
  text: "import { Pool } from 'pg';\nexport const pool = new Pool();\nexport async function f() {\n  const client = await pool.connect();\n  client.release();\n}\n",
};

describe('an inspected file', () => {
  it('has the problems of a linted one, and spans and pools besides', () => {
    const file = createInspector(poolguard, settings)(source);
    expect(file.problems).toEqual(createLinter(poolguard, settings)(source).problems);
    expect(file.spans()).toMatchObject([
      { pool: 'pool', client: 'client', lines: [{ startLine: 4, endLine: 5 }] },
    ]);
    const [pool] = file.pools();
    expect(pool).toMatchObject({ name: 'pool', options: { max: { kind: 'default', value: 10 } } });
    expect(pool === undefined ? undefined : file.poolEdits(pool, { max: 5 })).toEqual([
      { range: [55, 57], text: '({ max: 5 })' },
    ]);
  });

  it('is asked for nothing by linting', () => {
    const asked: string[] = [];
    const spying = createTinyAnalyser(() => ({
      spans: () => (asked.push('spans'), []),
      pools: () => (asked.push('pools'), []),
    }));
    const file = createInspector(spying, settings)(source);
    expect(asked).toEqual([]);
    expect([file.spans(), file.pools(), asked]).toEqual([[], [], ['spans', 'pools']]);
  });

  it('has them whatever its comments turn off', () => {
    // A user's file that switches every rule off: its problems go, what is known of its clients stays.
    const file = createInspector(
      poolguard,
      settings,
    )({ ...source, text: `/* eslint-disable */\n${source.text}` });
    expect([file.problems, file.spans().length, file.pools().length]).toEqual([[], 1, 1]);
  });

  it('has them where every rule is off', () => {
    const severities = Object.fromEntries(
      ruleIdsOf(poolguard).map((rule) => [rule, 'off'] as const),
    );
    const file = createInspector(poolguard, { ...settings, severities })(source);
    expect([file.problems, file.spans().length, file.pools().length]).toEqual([[], 1, 1]);
  });
});
