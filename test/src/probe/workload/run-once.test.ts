import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../../src/database/session.ts';
import { runOnce, runOnceOn } from '../../../../src/probe/workload/run-once.ts';

const statement: Statement = { name: 'one', text: 'INSERT INTO t VALUES ($1)', values: ['7'] };
const reading = { next: () => statement };
const writing = { next: () => ({ ...statement, isRolledBack: true }) };
const random = () => 0;
const failure = { kind: 'statement', sentence: 'No.', code: '22012' } as const;

/** Notes what it is asked, and fails at texts that match. */
function record(failing = /^$/) {
  const texts: string[] = [];
  return {
    texts,
    ask: ({ text }: Statement) => {
      texts.push(text);
      return Promise.resolve(
        failing.test(text)
          ? { kind: 'failed' as const, failure }
          : { kind: 'rows' as const, rows: [] },
      );
    },
    client: {
      query: ({ text }: { readonly text: string }) => {
        texts.push(text);
        return failing.test(text) ? Promise.reject(new Error(text)) : Promise.resolve();
      },
    },
  };
}

const inTransaction = ['BEGIN READ WRITE', statement.text, 'ROLLBACK'];

describe('one statement of a workload', () => {
  test('is sent as it was drawn when it only reads', async () => {
    const { texts, ask, client } = record();
    expect(await runOnce(ask, reading, random)).toEqual({ kind: 'rows', rows: [] });
    await runOnceOn(client, reading, random);
    expect(texts).toEqual([statement.text, statement.text]);
  });

  test('that writes is rolled back', async () => {
    const { texts, ask, client } = record();
    await runOnce(ask, writing, random);
    await runOnceOn(client, writing, random);
    expect(texts).toEqual([...inTransaction, ...inTransaction]);
  });

  test('that fails is rolled back too, and its failure is the answer', async () => {
    const { texts, ask, client } = record(/^INSERT/);
    expect(await runOnce(ask, writing, random)).toEqual({ kind: 'failed', failure });
    await expect(runOnceOn(client, writing, random)).rejects.toThrow('INSERT');
    expect(texts).toEqual([...inTransaction, ...inTransaction]);
  });

  test('is not sent when no transaction could be opened', async () => {
    const { texts, ask, client } = record(/^BEGIN/);
    expect(await runOnce(ask, writing, random)).toEqual({ kind: 'failed', failure });
    await expect(runOnceOn(client, writing, random)).rejects.toThrow('BEGIN');
    expect(texts).toEqual(['BEGIN READ WRITE', 'BEGIN READ WRITE']);
  });

  test('is no success when its transaction could not be rolled back', async () => {
    const { ask, client } = record(/^ROLLBACK/);
    expect(await runOnce(ask, writing, random)).toEqual({ kind: 'failed', failure });
    await expect(runOnceOn(client, writing, random)).rejects.toThrow('ROLLBACK');
  });
});
