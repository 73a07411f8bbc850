import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { load } from 'js-yaml';
import { formats } from '../../../../src/report/formats.ts';
import { runInProcess } from '../../../support/cli-run.ts';
import { loadScript } from '../../../support/k6-script.ts';
import { probeResults } from '../../../support/probe-results.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

/** Runs an export into an empty folder, and gives what it wrote. */
async function exportInto(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  await using folder = await createTemporaryFolder(files);
  const run = await runInProcess([
    ...args.map((arg) => arg.replace('HERE', folder.path)),
    '--export',
    'k6',
    '--output-dir',
    folder.path,
  ]);
  const names = (await readdir(folder.path)).filter((name) => !(name in files)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder.path, name), 'utf8')));
  return { ...run, names, script: texts[1] ?? '', testRun: texts[0] ?? '' };
}

test.each([
  ['probe', 'arrivals', 'k6 run poolguard-k6.js'],
  ['probe ramp', 'arrivals', 'k6 run -e POOL=20 -e SUMMARY=k6-summary-20.json poolguard-k6.js'],
  ['probe sweep', 'users', 'k6 run -e POOL=40 -e SUMMARY=k6-summary-40.json poolguard-k6.js'],
])(
  '%s writes a script and a TestRun without a database, and says how to run them',
  async (command, form, line) => {
    const { code, stdout, stderr, names, script, testRun } = await exportInto([
      ...command.split(' '),
      '--url',
      'http://localhost:8080/orders',
      '--parallelism',
      '5',
    ]);
    expect([code, stderr, names]).toEqual([
      0,
      '',
      ['poolguard-k6-testrun.yaml', 'poolguard-k6.js'],
    ]);
    expect(stdout).toContain(`  ${line}\n`);
    const loaded = loadScript(script);
    loaded.ask();
    expect(Object.keys(loaded.options.scenarios)).toEqual([form]);
    expect(loaded.requests[0]).toMatchObject({
      method: 'GET',
      url: 'http://localhost:8080/orders',
    });
    expect(load(testRun)).toMatchObject({ kind: 'TestRun', spec: { parallelism: 5 } });
  },
);

test('every size has its report, and a TestRun that reaches nothing is told of', async () => {
  const { stdout } = await exportInto(['sweep', '--sizes', '5,10']);
  expect(stdout).toContain(
    '  poolguard report k6-summary-5.json\n  poolguard report k6-summary-10.json\n',
  );
  expect(stdout).toMatch(
    /In a pod, http:\/\/localhost:3000\/ is the pod itself\. Set --url to the address/,
  );
  expect(
    (await exportInto(['sweep', '--url', 'http://shop.default.svc:3000/'])).stdout,
  ).not.toContain('is the pod itself');
});

test('a sweep writes its users, and what its request keeps secret goes nowhere', async () => {
  const { code, stdout, script, testRun } = await exportInto([
    'sweep',
    '--header',
    'Authorization: Bearer s3cret',
    '--body',
    's3cret',
    '--users',
    '40',
    '--seconds',
    '10',
  ]);
  expect([code, `${stdout}${script}${testRun}`.includes('s3cret')]).toEqual([0, false]);
  const loaded = loadScript(script, { HEADER_AUTHORIZATION: 'Bearer s3cret', BODY: 's3cret' });
  loaded.ask();
  expect(loaded.options.scenarios['users']?.stages).toEqual([
    { duration: '2000ms', target: 40 },
    { duration: '8000ms', target: 40 },
  ]);
  expect(loaded.requests).toEqual([
    {
      method: 'POST',
      url: 'http://localhost:3000/',
      body: 's3cret',
      headers: { 'content-type': 'application/json', Authorization: 'Bearer s3cret' },
    },
  ]);
});

test('a probe takes its rates from a saved result', async () => {
  const { code, script } = await exportInto(
    ['probe', '--baseline', join('HERE', 'probe.json'), '--workers', '2'],
    { 'probe.json': formats.json.write(probeResults.size) },
  );
  const scenario = loadScript(script).options.scenarios['arrivals'];
  expect([code, script.includes('const pool = __ENV.POOL || "3";')]).toEqual([0, true]);
  const throughput =
    probeResults.size.sizes.find(({ size }) => size === probeResults.size.goodSize)?.throughput ??
    NaN;
  expect(scenario?.stages.at(-1)?.target).toBe(2 * Math.round(throughput * 1.2));
});

test('a script without its TestRun is not left behind', async () => {
  await using folder = await createTemporaryFolder();
  await symlink('/dev/full', join(folder.path, 'poolguard-k6-testrun.yaml'));
  const { code, stderr } = await runInProcess([
    'probe',
    '--export',
    'k6',
    '--force',
    '--output-dir',
    folder.path,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('There is no space left for')]);
  expect(await readdir(folder.path)).toEqual(['poolguard-k6-testrun.yaml']);
});

test('a password in the URL is written nowhere', async () => {
  const { code, stdout, script, testRun } = await exportInto([
    'probe',
    'ramp',
    '--url',
    'http://me:s3cret@localhost/',
  ]);
  expect([code, `${stdout}${script}${testRun}`.includes('s3cret')]).toEqual([0, false]);
  expect(stdout).toContain('Set URL in the environment of k6 before it runs.');
});

test('files that are there stay, unless --force is given', async () => {
  await using folder = await createTemporaryFolder({ 'poolguard-k6.js': 'mine' });
  const args = ['probe', 'ramp', '--export', 'k6', '--output-dir', folder.path];
  const refused = await runInProcess(args);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    `${join(folder.path, 'poolguard-k6.js')} already exists. Use another directory with --output-dir, or overwrite it with --force.\n`,
  ]);
  expect(await readdir(folder.path)).toEqual(['poolguard-k6.js']);
  expect((await runInProcess([...args, '--force'])).code).toBe(0);
  expect(await readFile(join(folder.path, 'poolguard-k6.js'), 'utf8')).toContain(
    'ramping-arrival-rate',
  );
});

test.each([
  [['probe', '--force'], '--force requires --export k6.\n'],
  [['probe', 'ramp', '--output-dir', '.'], '--output-dir requires --export k6.\n'],
  [['sweep', '--force'], '--force requires --export k6.\n'],
  [
    ['probe', '--export', 'k6', '--url', 'secret.example'],
    '--url: The URL must start with http:// or https:// and have a host, for example http://localhost:3000/users.\n',
  ],
  [
    ['probe', 'http://localhost:3000', '--export', 'k6'],
    'Set the address of the application with --url; an export does not need a database.\n',
  ],
  [
    ['probe', 'ramp', '--export', 'k6', '--output-dir', '/there/is/none'],
    /^The folder of .* does not exist\. Create it first\.\n$/,
  ],
  [['probe', 'sweep', '--export', 'k6', '--stages', '5s:0'], /^The stages have no users/],
  [['probe', '--export', 'jmeter'], /Allowed choices are k6/],
  [['probe', '--export', 'k6', '--json'], /cannot be used with option/],
])('%j is a sentence and exit code 2', async (args, sentence) => {
  const { code, stdout, stderr } = await runInProcess(args);
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ]);
});
