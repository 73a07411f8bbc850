import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepExitCode } from '../../../../src/cli/sweep/sweep-command.ts';
import { sweepReport } from '../../../../src/report/reports/sweep-report.ts';
import { sweepVerdicts, type SweepVerdict } from '../../../../src/sweep/sweep-result.ts';
import { probeResults } from '../../../support/probe-results.ts';

const table: readonly (readonly [kind: SweepVerdict['kind'], code: 0 | 1])[] = [
  ['found', 0],
  ['app-bound', 0],
  ['no-difference', 0],
  ['not-saturated', 1],
  ['host-bound', 1],
  ['generator-bound', 1],
  ['not-read', 1],
  ['one-size', 1],
  ['no-answers', 1],
];

describe('a verdict that names no size, and does not say that sizes make no difference, ends with 1', () => {
  test('every verdict has its row', () => {
    expect(table.map(([kind]) => kind).sort()).toEqual([...sweepVerdicts].sort());
  });

  test.each(table)('%s: %d', async (kind, code) => {
    const verdict = { kind, because: 'It was measured.' };
    expect(sweepExitCode({ verdict, partial: null })).toBe(code);
    expect(sweepExitCode({ verdict, partial: 'It was cancelled.' })).toBe(1);
    const title =
      sweepReport({ ...probeResults.sweep, verdict, partial: null }).verdict?.title.replace(
        /\.$/,
        '',
      ) ?? '';
    expect(await readFile(join(import.meta.dirname, '../../../../docs/sweep.md'), 'utf8')).toMatch(
      new RegExp(`^\\| ${title} \\| .* \\| ${code} \\|$`, 'm'),
    );
  });
});
