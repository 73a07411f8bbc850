import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

/** Eleven names that are tested, and a test whose left side ends like its right side: `data` and `a`, or whatever they are called. */
function comparing(one: string, other: string): string {
  const flags = Array.from({ length: 8 }, (_, n) => `if (f${n} === given) await log();`).join(
    '\n  ',
  );
  return `
async function f(x, given, last, f0, f1, f2, f3, f4, f5, f6, f7) {
  let ${other} = x.first;
  if (last === ${other}) await log();
  const [${one}] = x.all;
  ${flags}
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  if (${one} !== ${other}) { client.release(); return; }
  ${other} = x.second;
  if (${one} !== ${other}) return;
  client.release();
}`;
}

describe('forgets what a test said once one of its sides is set', () => {
  checkRule(
    'no-unreleased-client',
    [
      ['data', 'b'],
      ['data', 'a'],
      ['a', 'data'],
      ['data1', 'data'],
    ].map(([one = '', other = '']) => ({
      name: `${one} and ${other}`,
      code: comparing(one, other),
    })),
  );
});
