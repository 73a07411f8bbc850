import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import { parser as typescriptParser } from 'typescript-eslint';
import plugin from '../../rules/index.ts';

function linesOf(
  rule: string,
  options: object,
  code: string,
  filename = 'sample.ts',
): readonly number[] {
  const config: Linter.Config = {
    files: ['**/*.ts'],
    plugins: { poolguard: plugin },
    rules: { [`poolguard/${rule}`]: ['error', options] },
    languageOptions: { parser: typescriptParser },
  };
  return new Linter().verify(code, [config], { filename }).map(({ line }) => line);
}

describe('no-external-await-while-holding', () => {
  const code = `import { Pool } from 'pg';
import Redis from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
const pool = new Pool(), redis = new Redis();
const remember = (id) => redis.set('last', id);
export async function f(id) {
  const client = await pool.connect();
  try {
    await redis.get(id);
    await remember(id);
    await sleep(99);
    await client.query('BEGIN');
    await fetch('https://example.org');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}`;
  test.each([
    ['nothing', {}, [9, 10, 11, 13]],
    ['a function as it is called', { allow: ['redis.get'] }, [10, 11, 13]],
    ['a function of the project', { allow: ['remember'] }, [9, 11, 13]],
    ['a package', { allow: ['ioredis'] }, [11, 13]],
    ['a built-in module without its scheme', { allow: ['timers/promises'] }, [9, 10, 13]],
    ['a global', { allow: ['fetch'] }, [9, 10, 11]],
    ['a part of a name, which counts for nothing', { allow: ['redis', 'get'] }, [9, 10, 11, 13]],
    ['only transactions', { transactionsOnly: true }, [13]],
  ])('allows %s', (_name, options, lines) => {
    expect(linesOf('no-external-await-while-holding', options, code)).toEqual(lines);
  });
});

describe('test files', () => {
  const code = `import { Pool } from 'pg';
const pool = new Pool();
export async function f(id) {
  const client = await pool.connect();
  try {
    await pool.query('SELECT 1');
    await fetch('https://example.org');
  } finally {
    client.release();
  }
}`;
  const rules = [
    ['no-nested-checkout', 6],
    ['no-external-await-while-holding', 7],
  ] as const;
  const tests = [
    ...['test/users.ts', 'tests/users.ts', 'src/__tests__/users.ts', 'src/users.test.ts'],
    ...['src/users-test.ts', 'src/users_test.ts', 'users.e2e-spec.ts', 'src/test-users.ts'],
    ...['src/test.ts', 'src/usersSpec.ts', 'src/users.cy.ts'],
  ];
  const others = ['src/latest/users.ts', 'src/contest.ts', 'src/testing.ts', 'src/inspec.ts'];
  const each = rules.flatMap(([rule, line]) => tests.map((path) => [rule, path, line] as const));

  test.each(each)('%s is off in %s, unless it is asked for', (rule, path, line) => {
    expect(linesOf(rule, {}, code, path)).toEqual([]);
    expect(linesOf(rule, { inTests: true }, code, path)).toEqual([line]);
  });

  test.each(rules)('%s is on in all others', (rule, line) => {
    for (const path of others) expect(linesOf(rule, {}, code, path)).toEqual([line]);
  });

  test('a leak is one there, too', () => {
    const leak = code.replace('client.release();', '');
    expect(linesOf('no-unreleased-client', {}, leak, 'src/users.test.ts')).toEqual([4]);
  });
});

describe('no-unreleased-client', () => {
  const code = `import { Pool } from 'pg';
const pool = new Pool();
export async function loses() { const a = await pool.connect(); if (await a.query('x')) return; a.release(); }
export async function losesOnThrow() { const b = await pool.connect(); await b.query('x'); b.release(); }`;
  test.each([
    [true, [3, 4]],
    [false, [3]],
  ])('checkExceptions: %s', (checkExceptions, lines) => {
    expect(linesOf('no-unreleased-client', { checkExceptions }, code)).toEqual(lines);
  });
});
