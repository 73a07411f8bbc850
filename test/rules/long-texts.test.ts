import { describe, expect, test } from 'vitest';
import { parseLooseJson } from '../../rules/project/loose-json.ts';
import { globsOfPnpm } from '../../rules/project/workspaces.ts';
import { hideSecrets } from '../../src/cli/sweep/hide-secrets.ts';
import { redact } from '../../src/database/secret.ts';
import { createLinter } from '../../src/lint/linter.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { readWorkloadFile } from '../../src/probe/workload/workload-file.ts';

const header = "import { Pool } from 'pg';\nconst pool = new Pool();\n";
const lint = createLinter(poolguard, { preset: 'strict' });
const linted = (text: string) => lint({ path: '/shop/orders.ts', text: header + text });

/** The milliseconds of this process that a call takes, the least of three. */
function cost(run: () => unknown): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      run();
      return process.cpuUsage(before).user / 1_000;
    }),
  );
}

const pieces: readonly (readonly [what: string, run: (length: number) => unknown])[] = [
  ['quotes and backslashes in a tsconfig.json', (length) => parse('"\\'.repeat(length / 2))],
  ['comments that never close in a tsconfig.json', (length) => parse('\\/*'.repeat(length / 3))],
  [
    'brackets in a pnpm-workspace.yaml',
    (length) => globsOfPnpm(`packages: ${'['.repeat(length)}\u2028`),
  ],
  [
    'passwords without an address in an error',
    (length) => redact('://:/'.repeat(length / 5), null),
  ],
  [
    'names of parameters in an address',
    (length) =>
      hideSecrets({ kind: 'failed', sentence: '?'.repeat(length / 2) + 'KEY'.repeat(length / 6) }),
  ],
  [
    'blanks in a directive of a workload file',
    (length) => readWorkloadFile(`/*weight:a${'\t'.repeat(length)}t*/ SELECT 1;`),
  ],
  ['a name in front of no listener', (length) => linted(`pool.connect; ${'a'.repeat(length)};`)],
  [
    'empty lines in front of no export',
    (length) => linted(`${'\n'.repeat(length)}pool.query('SELECT 1');`),
  ],
  ['Pool in the name of a class', (length) => linted(`new ${'Pool'.repeat(length / 4)};`)],
];

function parse(text: string): unknown {
  try {
    return parseLooseJson(text);
  } catch {
    return undefined;
  }
}

describe('the time grows with the length of', () => {
  test.each(pieces)('%s', (_what, run) => {
    run(1_000);
    const [short, long] = [20_000, 160_000].map((length) => cost(() => run(length))) as [
      number,
      number,
    ];
    // Eight times as long would be linear, sixty-four times quadratic; what takes less than some milliseconds is not measured.
    expect(long / Math.max(short, 2)).toBeLessThan(30);
  });
});
