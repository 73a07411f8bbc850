import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { ESLint } from 'eslint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eslints, modules } from '../../../support/packed-plugin.ts';
import { poolModule } from '../../../support/pool-module.ts';
import { runInProcess } from '../../../support/cli-run.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../../..');
const leak = (name: string) =>
  `export async function ${name}() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n`;
const source = (...names: readonly string[]) =>
  `import { pool } from './pool.js';\n${names.map(leak).join('')}`;
const twice = `import { pool } from './pool.js';
export async function twice() {
  const client = await pool.connect();
  client.release();
  client.release();
}
`;

let eslint: ChildProcess;
beforeAll(() => {
  eslint = fork(join(root, 'test/support/eslint-keeper.mjs'), [join(eslints['10'], 'lib/cli.js')], {
    env: { ...process.env, NO_COLOR: '1' },
  });
});
afterAll(() => {
  eslint.kill();
});

interface Answer {
  readonly code: number | string;
  readonly stdout: string;
}

async function runEslint(args: readonly string[], cwd: string): Promise<Answer> {
  eslint.send({ args: ['.', ...args], cwd });
  const [answer] = (await once(eslint, 'message')) as [Answer];
  return answer;
}

function runPoolguard(args: readonly string[], cwd: string): Promise<Answer> {
  return runInProcess(['lint', ...args], { cwd, engineBundle: join(root, 'dist/engine.js') });
}

interface Step {
  /** Null removes a file. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly args?: readonly string[];
}

test.each<[string, readonly Step[]]>([
  [
    'errors are written down, then only new ones fail',
    [
      { files: { 'src/a.js': source('one', 'two'), 'src/b.js': twice } },
      { args: ['--suppress-all'] },
      {},
      { files: { 'src/c.js': source('three') } },
      { files: { 'src/c.js': null, 'src/a.js': source('one', 'two', 'three') } },
    ],
  ],
  [
    'one rule is written down',
    [
      {
        files: { 'src/a.js': source('one'), 'src/b.js': twice },
        args: ['--suppress-rule', 'poolguard/no-double-release'],
      },
      { args: ['--suppress-rule', 'poolguard/no-unreleased-client'] },
    ],
  ],
  [
    'two rules are written down at once',
    [
      {
        files: { 'src/a.js': source('one'), 'src/b.js': twice },
        args: [
          '--suppress-rule',
          'poolguard/no-double-release',
          '--suppress-rule',
          'poolguard/no-unreleased-client',
        ],
      },
    ],
  ],
  [
    'what no longer occurs fails until it is pruned',
    [
      {
        files: { 'src/a.js': source('one', 'two'), 'src/b.js': twice, 'src/c.js': twice },
        args: ['--suppress-all'],
      },
      { files: { 'src/a.js': source('one'), 'src/b.js': source(), 'src/c.js': null } },
      { args: ['--pass-on-unpruned-suppressions'] },
      { args: ['--prune-suppressions'] },
      {},
      { files: { 'src/a.js': source() }, args: ['--prune-suppressions'] },
    ],
  ],
  [
    'the file may lie elsewhere, and must exist',
    [
      { files: { 'src/a.js': source('one') }, args: ['--suppressions-location', 'known.json'] },
      { args: ['--suppress-all', '--suppressions-location', 'known.json'] },
      { args: ['--suppressions-location', 'known.json'] },
    ],
  ],
  [
    'rules are set by the command line',
    [
      { files: { 'src/a.js': source('one'), 'src/b.js': twice } },
      { args: ['--rule', 'poolguard/no-double-release: off'] },
      { args: ['--rule', 'poolguard/no-double-release:1'] },
      { args: ['--rule', '{"poolguard/no-double-release": "warn"}'] },
      {
        args: ['--rule', 'poolguard/no-double-release: 1, poolguard/no-unreleased-client: off'],
      },
      {
        args: [
          '--rule',
          'poolguard/no-double-release: warn',
          '--rule',
          'poolguard/no-unreleased-client: [warn]',
        ],
      },
      {
        files: {
          'src/a.js': source('one').replace("'SELECT 1'", '"SET search_path TO a"'),
          'src/c.js': `${source('late')}`.replace(/\}\n$/u, '  client.release();\n}\n'),
        },
      },
      { args: ['--rule', 'poolguard/no-unreleased-client: [error, {checkExceptions: false}]'] },
      { args: ['--rule', 'poolguard/no-unreleased-client: [2, {"checkExceptions":true}]'] },
      { args: ['--rule', 'poolguard/no-session-state: [warn, {allow: [listen, set]}]'] },
      { args: ['--rule', 'poolguard/no-session-state: [warn, {allow: [lisen]}]'] },
      { args: ['--rule', 'poolguard/no-session-state: [warn, {alow: [listen]}]'] },
      { args: ['--rule', 'poolguard/no-session-state: fatal'] },
      { args: ['--rule', 'poolguard/no-session-state: [warn'] },
      { args: ['--rule', 'poolguard/no-sesion-state: warn'] },
    ],
  ],
  [
    'warnings count, also where they are not shown, and are not written down',
    [
      {
        files: { 'src/a.js': source('one'), 'src/b.js': twice },
        args: ['--rule', 'poolguard/no-unreleased-client: warn', '--max-warnings', '0'],
      },
      { files: { 'src/b.js': source() } },
      ...[['--max-warnings', '0'], ['--max-warnings', '1'], ['--quiet'], ['--suppress-all']].map(
        (args) => ({ args: ['--rule', 'poolguard/no-unreleased-client: warn', ...args] }),
      ),
      {
        args: ['--rule', 'poolguard/no-unreleased-client: warn', '--quiet', '--max-warnings', '0'],
      },
    ],
  ],
  [
    'the configuration decides which rules run where',
    [
      {
        files: {
          'eslint.config.js': `import poolguard from 'eslint-plugin-poolguard';
export default [
  { ignores: ['src/generated/'] },
  { plugins: { poolguard } },
  { files: ['src/**'], ...poolguard.configs.strict },
  { files: ['src/old/**'], rules: { 'poolguard/no-unreleased-client': 'warn' } },
  { files: ['src/jobs/**'], rules: { 'poolguard/no-double-release': 'off' } },
];
`,
          'src/a.js': source('one'),
          'src/old/b.js': source('two').replace('./pool', '../pool'),
          'src/jobs/c.js': twice.replace('./pool', '../pool'),
          'src/generated/d.js': source('four').replace('./pool', '../pool'),
          'tools/e.js': source('five').replace('./pool', '../src/pool'),
        },
      },
      { args: ['--rule', 'poolguard/no-unreleased-client: 1'] },
      {
        files: {
          'eslint.config.js': `import poolguard from 'eslint-plugin-poolguard';
export default [
  { plugins: { pg: poolguard }, rules: { 'pg/no-unreleased-client': [1, { checkExceptions: false }] } },
];
`,
        },
        args: ['--format', 'json'],
      },
      {
        files: {
          'eslint.config.js': `import poolguard from 'eslint-plugin-poolguard';
export default [
  poolguard.configs.recommended,
  poolguard.configs['transaction-pooling'],
  { settings: { poolguard: { pooler: 'pgbouncer:transaction:1.21' } } },
];
`,
          'src/s.js':
            "import { pool } from './pool.js';\nexport const listen = () => pool.query('LISTEN jobs');\nexport const find = (id) => pool.query({ name: 'find', text: 'SELECT $1', values: [id] });\n",
        },
      },
      { files: { 'eslint.config.js': 'export default [{ rules: { "poolguard/none": 2 } }];\n' } },
      { files: { 'eslint.config.js': 'throw new Error("poolguard");\n' } },
    ],
  ],
  [
    'the three orders exclude each other',
    [
      { args: ['--suppress-all', '--prune-suppressions'] },
      { args: ['--suppress-all', '--suppress-rule', 'poolguard/no-double-release'] },
      { args: ['--suppress-rule', 'poolguard/no-double-release', '--prune-suppressions'] },
    ],
  ],
])('as with ESLint, %s', async (_, steps) => {
  const files = {
    'package.json': '{ "type": "module" }',
    'eslint.config.js':
      "import poolguard from 'eslint-plugin-poolguard';\nexport default [poolguard.configs.recommended];\n",
    'src/pool.js': poolModule(),
  };
  await using ours = await createTemporaryFolder(files);
  await using theirs = await createTemporaryFolder(files);
  for (const { path } of [ours, theirs])
    await symlink(modules, join(path, 'node_modules'), 'junction');
  const seen = { ours: [] as unknown[], theirs: [] as unknown[] };
  for (const { files: changed = {}, args = [] } of steps) {
    for (const [folder, run, list] of [
      [ours, runPoolguard, seen.ours],
      [theirs, runEslint, seen.theirs],
    ] as const) {
      for (const [name, text] of Object.entries(changed))
        await (text === null ? rm(join(folder.path, name)) : folder.write({ [name]: text }));
      list.push([
        toReport(await run(['--format', 'json', ...args], folder.path), folder.path),
        ...writtenIn(folder.path),
      ]);
    }
  }
  expect(seen.ours).toEqual(seen.theirs);
});

/** What both say of each file of which something is said. */
function toReport({ code, stdout }: Answer, folder: string) {
  const files = stdout === '' ? [] : (JSON.parse(stdout) as ESLint.LintResult[]);
  return {
    // What ESLint throws ends it with this code.
    code: typeof code === 'number' ? code : 2,
    files: files
      .map(({ filePath, messages, suppressedMessages, errorCount, warningCount }) => ({
        path: relative(folder, filePath),
        messages: messages.map(({ ruleId, severity, line, column }) => [
          ruleId?.replace('pg/', 'poolguard/'),
          severity,
          line,
          column,
        ]),
        suppressed: suppressedMessages.map(({ ruleId, suppressions }) => [ruleId, suppressions]),
        errorCount,
        warningCount,
      }))
      .filter(({ messages, suppressed }) => messages.length + suppressed.length > 0),
  };
}

function writtenIn(folder: string): readonly (string | null)[] {
  return ['eslint-suppressions.json', 'known.json']
    .map((name) => join(folder, name))
    .map((path) =>
      existsSync(path) ? readFileSync(path, 'utf8').replace(/^\{\n\}$/u, '{}') : null,
    );
}
