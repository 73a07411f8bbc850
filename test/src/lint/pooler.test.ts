import { describe, expect, it } from 'vitest';
import { parsePooler } from '../../../src/lint/pooler.ts';

describe('a pooler in text', () => {
  it.each([
    ['pgbouncer', { name: 'pgbouncer', mode: 'transaction' }],
    [' PgBouncer ', { name: 'pgbouncer', mode: 'transaction' }],
    ['pgbouncer:session', { name: 'pgbouncer', mode: 'session' }],
    ['pgbouncer:transaction:1.20.1', { name: 'pgbouncer', mode: 'transaction', version: '1.20.1' }],
    ['rds-proxy', { name: 'rds-proxy', mode: 'transaction' }],
  ])('%s is read', (text, expected) => {
    expect(parsePooler(text)).toEqual(expected);
  });

  it.each(['', 'pgbouncer:fast', 'pgbouncer:transaction:new', 'a b', 'pgbouncer:', ':transaction'])('%j gets a sentence', (text) => {
    expect(parsePooler(text)).toMatch(/^A pooler is written .+\.$/u);
  });
});
