import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleEntry, type Bundle } from '../support/bundle.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { runNode, type Finished } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import type { Run } from './runner/run.ts';

/** A plugin that reports what comments ask for, so that expectations do not depend on what the analysis can do. */
const obedientPlugin = `
const ids = ['no-unreleased-client', 'no-double-release', 'no-external-await-while-holding', 'no-session-state', 'no-nested-checkout'];
const commands = {
  crash() { throw new Error('the rule is broken'); },
  die() { process.exit(3); },
  hang() { process.stderr.write('worker ' + process.pid + ' hangs\\n'); for (;;); },
};
const rule = (id) => ({
  create: (context) => ({
    Program() {
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        const word = value.trim();
        if (word === id) context.report({ loc, message: 'as asked \\u001b[31m' });
        if (id === ids[0] && commands[word]) commands[word]();
      }
    },
  }),
});
export default { meta: { name: 'obedient', version: '1.0.0' }, rules: Object.fromEntries(ids.map((id) => [id, rule(id)])) };
`;

const app = `async function a() {
  const client = await pool.connect(); // no-unreleased-client
}
async function b() {
  const one = await pool.connect();
  const two = await pool.connect();
  // no-unreleased-client
  call(); // no-session-state
}
const c = async () => {
  const client = await pool.connect();
  await fetch(url); // no-external-await-while-holding

  // no-unreleased-client
};
function d() {
  pool.connect();
  // no-double-release
  // no-nested-checkout
}
export async function e() {
  await pool.connect();
} // no-unreleased-client
async function f() {
  return 1; // no-session-state
}
`;

const head =
  'repo\tcommit\tpath\tline\tenclosing_function\tstyle\tlang\tkind\tlabel\theld_external\tsession_state\textras\tconfidence\treason';

interface Row {
  readonly repo?: string;
  readonly path?: string;
  readonly line: number;
  readonly kind?: string;
  readonly label?: string;
  readonly held?: string;
  readonly session?: string;
  readonly extras?: string;
}

function table(commit: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ({
      repo = 'owner/alpha',
      path = 'src/app.ts',
      line,
      kind = 'app',
      label = 'ok',
      held = 'no',
      session = 'none',
      extras = '-',
    }) =>
      [
        repo,
        commit,
        path,
        line,
        'f',
        'promise',
        'ts',
        kind,
        label,
        held,
        session,
        extras,
        'high',
        `why ${line}`,
      ].join('\t'),
  );
  return `${[head, ...lines].join('\n')}\n`;
}

const labelled: readonly Row[] = [
  { line: 2, label: 'leak-never' },
  { line: 5, label: 'leak-throw' },
  { line: 6, session: 'set' },
  { line: 11, held: 'yes', session: 'set_local' },
  { line: 17, label: 'double-release', extras: 'sync-gap,nested' },
  { line: 22, label: 'unclear' },
  { line: 25, kind: 'test', session: 'listen' },
];

const pairsHead =
  'repo\tbefore_commit\tbefore_path\tbefore_line\tafter_commit\tafter_path\tafter_line\trule\tsub\tconfidence\treason';
const beforeFix =
  'export async function g() {\n  await pool.connect(); // no-unreleased-client\n}\n';
const afterFix = 'export async function g() {\n\n  await pool.connect();\n}\n';

/** A stand-in for this repository and its surroundings, and the command itself. */
interface World extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly commits: readonly string[];
  readonly program: readonly string[];
  run(...args: string[]): Promise<Finished>;
  measure(...args: string[]): Promise<Run>;
  /** What the last run wrote as JSON. */
  lastRun(): Run;
}

async function createWorld(
  bundle: Bundle,
  files: Readonly<Record<string, string>>,
): Promise<World> {
  const folder = await createTemporaryFolder({
    'root/rules/dist/index.js': obedientPlugin,
    'root/rules/dist/package.json': '{ "type": "module" }',
    'root/docs/accuracy.md':
      '# Accuracy\n\n<!-- corpus figures: `npm run corpus -- --write-docs` writes what stands between these marks -->\nold\n<!-- end of corpus figures -->\n\nThe end.\n',
  });
  const commits = await createGitRepository(join(folder.path, 'mirrors', 'owner+alpha'), [
    { 'src/app.ts': app, 'src/fix.ts': beforeFix, ...files },
    { 'src/fix.ts': afterFix },
  ]);
  await folder.write({
    'root/test/corpus/sites.tsv': table(commits[0] ?? '', labelled),
    'root/test/corpus/fix_pairs.tsv': `${pairsHead}\n`,
  });
  const program = [
    bundle.file,
    '--cache',
    join(folder.path, 'cache'),
    '--json',
    join(folder.path, 'run.json'),
  ];
  const run = (...args: string[]) => runNode([...program, ...args], join(folder.path, 'root'));
  const lastRun = () => JSON.parse(readFileSync(join(folder.path, 'run.json'), 'utf8')) as Run;
  return {
    folder,
    commits,
    program,
    run,
    async measure(...args) {
      const { stderr, code } = await run('--mirrors', join(folder.path, 'mirrors'), ...args);
      if (code === 2) throw new Error(stderr);
      return lastRun();
    },
    lastRun,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

let bundle: Bundle;
/** Shared by the tests that change nothing in it. */
let plain: World;
beforeAll(async () => {
  // What npm says of where the user was is for the command of this test run only.
  delete process.env['INIT_CWD'];
  bundle = await bundleEntry('test/corpus/runner/bin.ts');
  plain = await createWorld(bundle, {});
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await bundle[Symbol.asyncDispose]();
});

describe('labelled sites', () => {
  test('are scored by class: a leak at its acquire, the rest in the function around it', async () => {
    const { sites, classesWithoutRule } = await plain.measure();
    expect(sites).toMatchObject({ measured: 5, missing: 0 });
    expect(sites.scores).toEqual({
      leak: { bugs: 2, found: 1, missed: 1, falseAlarms: 2, precision: 0.333, recall: 0.5 },
      double: { bugs: 1, found: 1, missed: 0, falseAlarms: 0, precision: 1, recall: 1 },
      held: { bugs: 1, found: 1, missed: 0, falseAlarms: 0, precision: 1, recall: 1 },
      session: { bugs: 1, found: 1, missed: 0, falseAlarms: 1, precision: 0.5, recall: 1 },
      nested: { bugs: 1, found: 1, missed: 0, falseAlarms: 0, precision: 1, recall: 1 },
    });
    expect(classesWithoutRule).toEqual(['use-after']);
    expect(sites.outside.map(({ line, rule }) => `${line} ${rule}`)).toEqual([
      '23 no-unreleased-client',
      '25 no-session-state',
    ]);
  });

  test('of tests and of unclear meaning count only when asked for', async () => {
    const { sites } = await plain.measure('--tests');
    expect(sites.measured).toBe(7);
    expect(sites.scores['session']).toMatchObject({ bugs: 2, found: 2 });
    expect(sites.outside).toEqual([]);
  });

  test('are reported to people with the reasons of their labels, and without control characters', async () => {
    const { stdout, stderr, code } = await plain.run(
      '--mirrors',
      join(plain.folder.path, 'mirrors'),
      '--list-unlabelled',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('owner/alpha src/app.ts:5  leak-throw: why 5');
    expect(stdout).toMatch(/leak +2 +1 +1 +2 +0\.33 +0\.50 +1/u);
    expect(stdout).toContain(
      'owner/alpha src/app.ts:23  no-unreleased-client: as asked \\u001b[31m',
    );
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toContain('1/1 owner/alpha@');
  });
});

describe('labelled transactions', () => {
  const columns =
    'repo commit path line end_line library form outer slow concurrent manual escapes kind confidence reason';
  const row = (lines: string, library: string, outer: string, slow: string, manual: string) =>
    `owner/alpha COMMIT src/app.ts ${lines} ${library} callback ${outer} ${slow} - ${manual} - app high why`;
  const rows = [
    columns,
    row('1 3', 'knex', '-', '-', 'leak-never'),
    row('10 15', 'knex', '-', '12', 'n/a'),
    row('16 20', 'prisma', '19', '?', 'n/a'),
    row('21 23', 'prisma', '22', '-', 'n/a'),
    row('24 26', 'prisma', '-', '-', 'n/a'),
  ];

  async function createTransactions(): Promise<World> {
    const world = await createWorld(bundle, {});
    const text = rows.join('\n').replaceAll('COMMIT', world.commits[0] ?? '');
    await world.folder.write({
      'transactions.tsv': `${text.replaceAll(' ', '\t')}\n`,
      'root/docs/accuracy.md':
        '<!-- transaction figures: `npm run corpus -- --labels test/corpus/transactions.tsv --write-docs` writes what stands between these marks --><!-- end of transaction figures -->',
    });
    return world;
  }

  test('are scored by class, by line and by library', async () => {
    await using world = await createTransactions();
    const { sites, classesWithoutRule } = await world.measure(
      '--labels',
      join(world.folder.path, 'transactions.tsv'),
    );
    expect(sites).toMatchObject({ measured: 5, missing: 0 });
    expect(classesWithoutRule).toEqual(['concurrent']);
    expect(sites.scores).toMatchObject({
      outer: { bugs: 2, found: 1, falseAlarms: 0 },
      slow: { bugs: 1, found: 1, falseAlarms: 0 },
      manual: { bugs: 1, found: 1, falseAlarms: 1 },
    });
    expect(sites.byLine).toEqual({
      outer: { lines: 2, found: 1 },
      slow: { lines: 1, found: 1 },
    });
    expect(sites.byLibrary.map(({ library, sites: own }) => [library, own])).toEqual([
      ['knex', 2],
      ['prisma', 3],
    ]);
    expect(sites.misses).toMatchObject([{ bugClass: 'outer', line: 21, label: 'outer 22' }]);
    expect(sites.falseAlarms).toMatchObject([{ bugClass: 'manual', line: 24 }]);
  });

  test('have figures of their own in the documents, without bug fixes and every file', async () => {
    await using world = await createTransactions();
    const labels = join(world.folder.path, 'transactions.tsv');
    const { pairs, sweep } = await world.measure('--labels', labels, '--write-docs');
    expect({ pairs, sweep }).toEqual({ pairs: null, sweep: null });
    const root = join(world.folder.path, 'root');
    const text = readFileSync(join(root, 'docs/accuracy.md'), 'utf8');
    expect(text).toContain('5 labelled transactions in 1 repositories.');
    expect(text).toMatch(/\| prisma \| 3 \| 1\/2 \| {2}\| 0\/0 \+1 \|/u);
    expect(existsSync(join(root, 'test/corpus/transactions.json'))).toBe(true);
    expect(existsSync(join(root, 'test/corpus/sites.json'))).toBe(false);
  });
});

describe('repositories', () => {
  test('that cannot be had are named, left out and counted', async () => {
    await using world = await createWorld(bundle, {});
    const [commit = ''] = world.commits;
    await world.folder.write({
      'labels.tsv': table(commit, [
        { line: 2, label: 'leak-never' },
        { repo: 'owner/gone', line: 3 },
        { path: 'src/gone.ts', line: 3 },
      ]),
    });
    const { sites, leftOut } = await world.measure(
      '--labels',
      join(world.folder.path, 'labels.tsv'),
    );
    expect(sites).toMatchObject({ measured: 1, missing: 2 });
    expect(leftOut).toEqual([
      `owner/gone at ${commit.slice(0, 10)}: no bare git directory owner+gone or owner/gone.git in ${join(world.folder.path, 'mirrors')}`,
    ]);
  });

  test('are fetched once, and found in the cache when the network is gone', async () => {
    await using world = await createWorld(bundle, {});
    const hub = join(world.folder.path, 'hub');
    await world.folder.write({ 'hub/owner/.keep': '' });
    await rename(join(world.folder.path, 'mirrors', 'owner+alpha'), join(hub, 'owner', 'alpha'));
    const first = await world.run('--remote', `file://${hub}`);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('5 labelled sites,');
    await rename(hub, `${hub}-gone`);
    expect((await world.run('--remote', `file://${hub}`)).stdout).toBe(first.stdout);
  });

  test('that cannot be fetched are named with what git says', async () => {
    const { stdout, code } = await plain.run(
      '--remote',
      `file://${join(plain.folder.path, 'nowhere')}`,
      '--cache',
      join(plain.folder.path, 'empty'),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Left out, 1 in all:\n {2}owner\/alpha at \w{10}: it could not be fetched from file:.*: fatal: /u,
    );
    expect(stdout).toContain('0 labelled sites, 5 more could not be had');
  });
});

describe('fix pairs', () => {
  test('want a report before the fix and silence after it, unless the fix left another bug', async () => {
    const [before = '', after = ''] = plain.commits;
    const pair = (from: string, to: string, line: number, rule: string, reason: string) =>
      [
        'owner/alpha',
        from,
        'src/fix.ts',
        2,
        to,
        'src/fix.ts',
        line,
        rule,
        'sub',
        'high',
        reason,
      ].join('\t');
    const rows = [
      pair(before, after, 3, 'unreleased', 'a good fix'),
      pair(before, before, 2, 'unreleased', 'no fix at all'),
      pair(before, before, 2, 'unreleased', 'AFTER-DIRTY: another bug'),
      pair(after, after, 3, 'unreleased', 'never seen'),
      pair(before, after, 3, 'pool-per-request', 'no rule'),
    ];
    await plain.folder.write({ 'pairs.tsv': `${[pairsHead, ...rows].join('\n')}\n` });
    const { pairs } = await plain.measure('--pairs', join(plain.folder.path, 'pairs.tsv'));
    expect(pairs).toMatchObject({
      measured: 4,
      missing: 0,
      skipped: 1,
      byRule: { unreleased: { pairs: 4, caught: 3, quietAfter: 3, both: 2 } },
    });
    expect(pairs?.failed.map((each) => each.replace(/, owner.*?fix\.ts/u, ''))).toEqual([
      'unreleased: speaks after the fix:2. no fix at all',
      'unreleased: silent before the fix:2. never seen',
    ]);
  });

  test('of double releases want the report anywhere in the function', async () => {
    const [before = '', after = ''] = plain.commits;
    const pair = (path: string, sub: string) =>
      [
        'owner/alpha',
        before,
        path,
        16,
        after,
        'src/fix.ts',
        3,
        'unreleased',
        sub,
        'high',
        'why',
      ].join('\t');
    await plain.folder.write({
      'double.tsv': `${[pairsHead, pair('src/app.ts', 'double'), pair('src/app.ts', 'never')].join('\n')}\n`,
    });
    const { pairs } = await plain.measure('--pairs', join(plain.folder.path, 'double.tsv'));
    const caught = Object.entries(pairs?.byRule ?? {}).map(([kind, { caught }]) => [kind, caught]);
    expect(Object.fromEntries(caught)).toEqual({ 'unreleased/double': 1, unreleased: 0 });
  });
});

describe('every file', () => {
  const files = {
    'src/broken.ts': 'function (',
    'src/crash.ts': '// crash',
    'src/die.js': '// die',
    'src/fine.mjs': '// no-session-state',
    'lib/bundle.min.js': '// crash',
    'node_modules/x/index.js': '// crash',
  };

  test('is linted; what no parser reads is told from what breaks a rule or a worker, which makes the command fail', async () => {
    await using world = await createWorld(bundle, files);
    const { code } = await world.run(
      '--mirrors',
      join(world.folder.path, 'mirrors'),
      '--all-files',
    );
    expect(code).toBe(1);
    const { sweep, sites } = world.lastRun();
    expect(sweep).toMatchObject({
      files: 6,
      unreadable: 1,
      parseFailures: [],
      reports: { 'no-session-state': 3 },
    });
    expect(sweep?.crashes).toEqual([
      expect.stringMatching(/^src\/crash\.ts: the rule is broken/u),
      'src/die.js: the worker ended with 3',
    ]);
    expect(sites.outside.map(({ path }) => path)).toContain('src/fine.mjs');
  });
});

describe('the command', () => {
  test('explains itself', async () => {
    const { stdout, code } = await runNode([bundle.file, '--help'], import.meta.dirname);
    expect(code).toBe(0);
    expect(stdout).toContain('npm run corpus -- --mirrors ~/mirrors');
  });

  test.each([
    {
      name: 'a label that is no label',
      args: ['--labels', 'bad.tsv'],
      sentence: /bad\.tsv, line 2: the column commit should hold a whole hash/u,
    },
    {
      name: 'a path out of the repository',
      args: ['--labels', 'outside.tsv'],
      sentence: /outside\.tsv, line 2: the column path should hold a path inside/u,
    },
    {
      name: 'no such table',
      args: ['--labels', 'none.tsv'],
      sentence: /none\.tsv cannot be read/u,
    },
    {
      name: 'settings that are no object',
      args: ['--settings', '[1]'],
      sentence: /--settings wants a JSON object/u,
    },
    {
      name: 'a repository without labels',
      args: ['--repo', 'a/b'],
      sentence: /No labelled site is left/u,
    },
    { name: 'an unknown option', args: ['--wat'], sentence: /unknown option '--wat'/u },
  ])('says in a sentence what is wrong with $name', async ({ args, sentence }) => {
    await plain.folder.write({
      'root/bad.tsv': table('main', [{ line: 1 }]),
      'root/outside.tsv': table('0'.repeat(40), [{ path: 'src/../../x.ts', line: 1 }]),
    });
    const { code, stderr } = await plain.run(...args);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test('leaves no process and no half checkout behind when it is stopped', async () => {
    await using world = await createWorld(bundle, { 'src/hang.ts': '// hang' });
    const child = spawn(
      process.execPath,
      [...world.program, '--mirrors', join(world.folder.path, 'mirrors'), '--all-files'],
      { cwd: join(world.folder.path, 'root'), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const worker = await new Promise<number>((resolve) => {
      let said = '';
      child.stderr.on('data', (data: Buffer) => {
        said += data.toString();
        const pid = /worker (\d+) hangs/u.exec(said)?.[1];
        if (pid !== undefined) resolve(Number(pid));
      });
    });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(() => process.kill(worker, 0)).toThrow('ESRCH');
    expect(readdirSync(join(world.folder.path, 'cache', 'checkouts'))).toEqual([
      `owner+alpha@${world.commits[0]}`,
    ]);
  });

  test('writes the figures between the marks of the documents, and keeps the rest', async () => {
    await using world = await createWorld(bundle, {});
    await world.measure('--write-docs');
    const root = join(world.folder.path, 'root');
    const text = readFileSync(join(root, 'docs/accuracy.md'), 'utf8');
    expect(text).toMatch(
      /^# Accuracy\n\n<!-- .* -->\n\nMeasured on \d{4}-\d\d-\d\d with `obedient` 1\.0\.0: 5 labelled sites in 1 repositories\.\n/u,
    );
    expect(text).toContain('| leak | 2 | 1 | 2 | 0.33 | 0.50 |');
    expect(text).toMatch(/<!-- end of corpus figures -->\n\nThe end\.\n$/u);
    expect(existsSync(join(root, 'test/corpus/sites.json'))).toBe(true);
  });
});
