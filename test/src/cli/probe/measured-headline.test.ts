import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  printMeasured,
  type OutputFlags,
} from '../../../../src/cli/probe/options/output-options.ts';
import type { ReportedResult } from '../../../../src/probe/result.ts';
import { probeResults } from '../../../support/probe-results.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

function print(
  result: ReportedResult,
  flags: OutputFlags,
  isTTY = false,
): { out: string; err: string } {
  const said = { out: '', err: '' };
  printMeasured(result, flags, {
    isColored: false,
    stdout: { isTTY, write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  return said;
}

const noisy: ReportedResult = {
  ...probeResults.size,
  recommendation: null,
  verdict: {
    ...probeResults.size.verdict,
    kind: 'too-noisy',
    because: 'The rounds differ too much.',
  },
};

test('a result that goes to a file leaves its verdict on standard output: the max and its interval', async () => {
  await using folder = await createTemporaryFolder({});
  const { out, err } = print(probeResults.size, { output: join(folder.path, 'out.html') });
  expect(out).toMatch(/^Found\. [^\n]*\(max 3, interval 3 to 4, [^\n]*\)\n$/);
  expect(err).toBe(`Written to ${join(folder.path, 'out.html')}\n`);
});

test('a probe that was too noisy does not end in silence when its result goes to a file', async () => {
  await using folder = await createTemporaryFolder({});
  expect(print(noisy, { output: join(folder.path, 'out.html') }).out).toBe(
    'Too noisy to say. The rounds differ too much.\n',
  );
});

test.each(['users', 'connect', 'compare', 'ramp', 'sweep'] as const)(
  '%s says its verdict beside the file, as its report does',
  async (kind) => {
    await using folder = await createTemporaryFolder({});
    const result = probeResults[kind];
    const { out } = print(result, { output: join(folder.path, 'out.json') });
    expect(out).toContain(result.verdict.because);
    expect(out.split('\n')).toHaveLength(2);
  },
);

test.each([{ json: true }, { format: 'csv' }, { format: 'html' }] as const)(
  'standard output with %j belongs to programs, so the verdict goes to standard error',
  (flags) => {
    const { out, err } = print(noisy, flags);
    expect(err).toBe('Too noisy to say. The rounds differ too much.\n');
    expect(out).not.toMatch(/^Too noisy/m);
  },
);

test('a verdict that is read already is not said twice', async () => {
  await using folder = await createTemporaryFolder({});
  expect(print(noisy, {}).err).toBe('');
  const { out, err } = print(noisy, { output: join(folder.path, 'out.json') }, true);
  expect(out.match(/Too noisy to say\./g)).toHaveLength(1);
  expect(err).toBe(`Written to ${join(folder.path, 'out.json')}\n`);
});
