import { describe, expect, it } from 'vitest';
import { parsePooler } from '../../../src/lint/pooler.ts';

describe('a pooler in text', () => {
  it.each([
    ['pgbouncer', { kind: 'pgbouncer', mode: 'transaction' }],
    [' PgBouncer ', { kind: 'pgbouncer', mode: 'transaction' }],
    ['pgbouncer:session', { kind: 'pgbouncer', mode: 'session' }],
    ['pgbouncer:transaction:1.20.1', { kind: 'pgbouncer', mode: 'transaction', version: '1.20.1' }],
    ['rds-proxy', { kind: 'rds-proxy', mode: 'transaction' }],
  ])('%s is read', (text, expected) => {
    expect(parsePooler(text)).toEqual(expected);
  });

  it.each([
    '',
    'pgbouncer:fast',
    'pgbouncer:transaction:new',
    'a b',
    'nobody',
    'pgbouncer:',
    ':transaction',
  ])('%j gets a sentence', (text) => {
    expect(parsePooler(text)).toMatch(/^(?:Use kind|Unknown kind of pooler).+\.$/u);
  });
});
