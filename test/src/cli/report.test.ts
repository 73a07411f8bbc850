import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeAgainst, readBaseline, withBaseline } from '../../../src/cli/probe/baseline.ts';
import { parseTarget } from '../../../src/database/target.ts';
import { createRandom } from '../../../src/probe/random.ts';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../../src/probe/request.ts';
import { formats } from '../../../src/report/formats.ts';
import { runInProcess } from '../../support/cli-run.ts';
import { probeResults } from '../../support/probe-results.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const saved = {
  'size.json': formats.json.write(probeResults.size),
  'spike.json': formats.json.write(probeResults.spike),
  'package.json': '{}',
};

test('an ending of something else is refused before anything is written', async () => {
  await using folder = await createTemporaryFolder(saved);
  const { code, stderr } = await runInProcess([
    'report',
    join(folder.path, 'size.json'),
    '--output',
    join(folder.path, 'out.pdf'),
  ]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/out\.pdf is to hold does not show in its ending: .*--format\.\n$/),
  ]);
});

test('a saved result is printed again', async () => {
  await using folder = await createTemporaryFolder(saved);
  const { code, stdout } = await runInProcess(['report', join(folder.path, 'size.json')]);
  expect(code).toBe(0);
  expect(stdout).toBe(
    formats.terminal.write(probeResults.size, { isColored: false, columns: null }),
  );
});

test.each([
  ['out.md', '## Pool size'],
  ['out.html', '<!doctype html>'],
  ['out.csv', 'size,throughput'],
  ['out.json', '{'],
  ['out', 'shop on localhost'],
])('the ending of %s chooses the format', async (name, start) => {
  await using folder = await createTemporaryFolder(saved);
  const { code, stdout, stderr } = await runInProcess([
    'report',
    join(folder.path, 'size.json'),
    '--output',
    join(folder.path, name),
  ]);
  expect([code, stdout, stderr]).toEqual([0, '', `Written to ${join(folder.path, name)}\n`]);
  expect((await readFile(join(folder.path, name), 'utf8')).startsWith(start)).toBe(true);
});

test('somebody at a terminal sees the answer of what goes to a file', async () => {
  await using folder = await createTemporaryFolder(saved);
  const { stdout } = await runInProcess(
    ['report', join(folder.path, 'size.json'), '--output', join(folder.path, 'out.html')],
    { size: { columns: 100, rows: 40 } },
  );
  expect(stdout).toContain('  max: 3,');
});

test('what cannot be read, or not be written, is a sentence and exit code 2', async () => {
  await using folder = await createTemporaryFolder(saved);
  const at = (name: string) => join(folder.path, name);
  const sentences: readonly (readonly [readonly string[], string])[] = [
    [[at('none.json')], `There is no file ${at('none.json')}.\n`],
    [[folder.path], `${folder.path} is not a regular file.\n`],
    [
      [at('package.json')],
      `${at('package.json')} holds no result of a probe. Save one with poolguard probe --output result.json.\n`,
    ],
    [[at('size.json'), '--output', folder.path], `${folder.path} is a folder. Name a file in it.`],
    [[at('size.json'), '--format', 'pdf'], 'terminal, markdown, json, csv, html'],
  ];
  for (const [args, sentence] of sentences) {
    const { code, stderr, stdout } = await runInProcess(['report', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  }
  expect((await readdir(folder.path)).sort()).toEqual(['package.json', 'size.json', 'spike.json']);
});

function requestOf(change: Partial<SizeRequest> = {}): SizeRequest {
  const parsed = parseTarget('postgres://app@localhost/shop');
  if (parsed.kind !== 'target') throw new Error('The address of this test is none.');
  return { ...sizeDefaults, target: parsed.target, secret: null, ...change };
}

test('a baseline brings its size and, unless others are given, its statements', () => {
  const request = withBaseline(requestOf({ max: 4 }), probeResults.size);
  expect([request.max, request.alsoSizes]).toEqual([6, [6]]);
  expect(request.workload).toEqual({
    kind: 'statements',
    statements: probeResults.size.workload.statements.map(({ text, share, parameters }) => ({
      text,
      weight: share,
      parameters,
    })),
  });
  expect(
    withBaseline(requestOf({ workload: workloadOf('SELECT 1') }), probeResults.size).workload,
  ).toEqual(workloadOf('SELECT 1'));
});

test('a baseline of another experiment is refused', async () => {
  await using folder = await createTemporaryFolder(saved);
  expect(() => readBaseline(join(folder.path, 'spike.json'))).toThrow(
    'A baseline is a result of poolguard probe; this file holds one of the experiment "spike".',
  );
  expect(readBaseline(join(folder.path, 'size.json')).experiment).toBe('size');
});

test('the judgement is told in every format, and by the exit code', () => {
  const { result, exitCode } = judgeAgainst(
    probeResults.size,
    { ...probeResults.size, startedAt: '2026-02-02T00:00:00.000Z' },
    createRandom(1),
  );
  expect(exitCode).toBe(0);
  for (const format of [formats.terminal, formats.markdown, formats.html]) {
    const text = format.write(result, { isColored: false, columns: null });
    expect(text).toContain('Still right.');
    expect(text).toContain('Against the baseline');
  }
  expect(formats.json.write(result)).toContain('"kind": "unchanged"');
});
