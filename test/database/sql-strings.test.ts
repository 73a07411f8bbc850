import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlainStrings } from '../../rules/model/sql-strings.ts';
import { pieceAt } from '../../rules/model/sql-tokens.ts';
import { adversarialStrings } from '../support/adversarial-sql.ts';
import { postgresUrl } from '../support/postgres-url.ts';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client(postgresUrl());
  await client.connect();
  await client.query('SET escape_string_warning = off; SET backslash_quote = on');
});

afterAll(() => client.end());

interface Reading {
  /** What the strings mean, as far as all is closed. */
  readonly strings: readonly string[];
  readonly isClosed: boolean;
}

/** Undefined for a text that has more than strings. */
function ourReading(sql: string, plain: PlainStrings): Reading | undefined {
  const strings: string[] = [];
  for (let at = 0; at < sql.length;) {
    const { token, end, isClosed } = pieceAt(sql, at, plain);
    if (token !== undefined && token.kind !== 'string') return undefined;
    if (!isClosed) return { strings, isClosed };
    if (token !== undefined) strings.push(toBits(token.text, sql.slice(at, end)));
    at = end;
  }
  return strings.length === 0 ? undefined : { strings, isClosed: true };
}

/** The server writes a string of digits to the base of 16 as bits. */
function toBits(text: string, written: string): string {
  if (!/^x/i.test(written) || !/^[\da-f]*$/i.test(text)) return text;
  return [...text].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
}

type ServerReading = { readonly text: string } | 'unterminated' | 'several' | 'refused';

async function serverReading(sql: string): Promise<ServerReading> {
  try {
    const { rows } = await client.query<[string]>({ text: `SELECT ${sql}`, rowMode: 'array' });
    return { text: String(rows[0]?.[0]) };
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('unterminated')) return 'unterminated';
    // What a string says is refused otherwise, and not how it ends.
    return message.startsWith('syntax error') ? 'several' : 'refused';
  }
}

test.each(['standard', 'escaped'] as const)(
  'strings in parts, with comments between them, end where the server ends them and mean the same, plain ones being %s',
  async (plain) => {
    await client.query(`SET standard_conforming_strings = ${plain === 'standard' ? 'on' : 'off'}`);
    const met: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(adversarialStrings, async (sql) => {
        const ours = ourReading(sql, plain);
        if (ours === undefined) return;
        const theirs = await serverReading(sql);
        const kind = typeof theirs === 'string' ? theirs : 'string';
        met[kind] = (met[kind] ?? 0) + 1;
        if (typeof theirs !== 'string')
          expect(ours).toEqual({ strings: [theirs.text], isClosed: true });
        if (theirs === 'unterminated') expect(ours.isClosed).toBe(false);
        // It stops at the second, whatever comes after.
        if (theirs === 'several') expect(ours.strings.length).toBeGreaterThan(1);
      }),
      { numRuns: 1_500 },
    );
    // About a fifteenth of them are several strings.
    for (const kind of ['string', 'several', 'unterminated'])
      expect(met[kind], kind).toBeGreaterThan(50);
  },
);
