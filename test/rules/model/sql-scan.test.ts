import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { pieceAt, placedTokens } from '../../../rules/model/sql-tokens.ts';
import { adversarialSql } from '../../support/adversarial-sql.ts';
import { hasCommentBetweenParts, loadScanner } from '../../support/scanned-sql.ts';

let scan: Awaited<ReturnType<typeof loadScanner>>;

beforeAll(async () => {
  scan = await loadScanner();
});

test("any text is cut as PostgreSQL's scanner cuts it: the same boundaries, kinds and values", () => {
  const met = { tokens: 0, unterminated: 0, refused: 0 };
  fc.assert(
    fc.property(
      adversarialSql.filter((sql) => !hasCommentBetweenParts(sql)),
      (sql) => {
        const scanned = scan(sql);
        if (scanned.kind === 'tokens') expect(placedTokens(sql)).toEqual(scanned.tokens);
        if (scanned.kind === 'tokens' || scanned.isUnterminated)
          expect(isClosed(sql)).toBe(scanned.kind === 'tokens');
        met[
          scanned.kind === 'tokens' ? 'tokens' : scanned.isUnterminated ? 'unterminated' : 'refused'
        ]++;
      },
    ),
    { numRuns: 2_000 },
  );
  expect(met.tokens).toBeGreaterThan(400);
  expect(met.unterminated).toBeGreaterThan(400);
});

function isClosed(sql: string): boolean {
  for (let at = 0; at < sql.length;) {
    const piece = pieceAt(sql, at);
    if (!piece.isClosed) return false;
    at = piece.end;
  }
  return true;
}
