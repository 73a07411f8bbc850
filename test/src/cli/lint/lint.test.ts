import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addLintCommand } from '../../../../src/cli/lint/lint.ts';
import type { TemporaryFolder } from '../../../support/temporary-folder.ts';
import { runInProcess } from '../../../support/cli-run.ts';
import { rawHidden } from '../../../support/hostile-text.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { rulesOf } from '../../../support/rules-of.ts';
import { createTinyAnalyser } from '../../../support/tiny-analyser.ts';

const leak = 'const client = await pool.connect();\n';
const fine = 'export const answer = 42;\n';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

async function lint(files: Readonly<Record<string, string>>, ...args: string[]) {
  await folder.write(files);
  return runInProcess(['lint', ...args], {
    cwd: folder.path,
    commands: [
      (program, io) => {
        addLintCommand(program, io, rulesOf(createTinyAnalyser()));
      },
    ],
  });
}

describe('exit codes', () => {
  it.each<[number, string, Record<string, string>, string[]]>([
    [0, 'nothing is wrong', { 'a.js': fine }, []],
    [1, 'there is an error', { 'a.js': leak }, []],
    [0, 'there are warnings only', { 'a.js': leak }, ['--rule', 'no-unreleased-client=warn']],
    [
      1,
      'there are too many warnings',
      { 'a.js': leak },
      ['--rule', 'no-unreleased-client=warn', '--max-warnings', '0'],
    ],
    [
      0,
      'there are as many warnings as allowed',
      { 'a.js': leak },
      ['--rule', 'no-unreleased-client=warn', '--max-warnings', '1'],
    ],
    [
      1,
      'there are too many warnings, even unseen',
      { 'a.js': leak },
      ['--rule', 'no-unreleased-client=warn', '--max-warnings', '0', '--quiet'],
    ],
    [0, 'the rule is off', { 'a.js': leak }, ['--rule', 'poolguard/no-unreleased-client=off']],
    [1, 'a file does not parse', { 'a.js': 'const = ;' }, []],
    [2, 'there is no file', { 'readme.md': '' }, []],
    [2, 'a named file is of another language', { 'notes.txt': 'fine' }, ['notes.txt']],
    [2, 'a pattern matches files of other languages only', { 'notes.txt': 'fine' }, ['*.t?t']],
    [
      1,
      'a program without an ending has an error',
      { 'bin/www': `#!/usr/bin/env node\n${leak}` },
      ['bin/www'],
    ],
    [2, 'a file without an ending is of another language', { hosts: 'root:x:0:0' }, ['hosts']],
    [2, 'a path is empty', { 'a.js': fine }, ['']],
    [3, 'a file is too large', { 'a.js': `${leak}${'// \n'.repeat(500_001)}` }, []],
    [
      1,
      'a file is too large, and another has an error',
      { 'a.js': `${leak}${'// \n'.repeat(500_001)}`, 'b.js': leak },
      [],
    ],
    [2, 'a path does not exist', { 'a.js': fine }, ['a.js', 'missing.js']],
    [2, 'a pattern matches nothing', { 'a.js': fine }, ['lib/**/*.ts']],
    [2, 'the rule does not exist', { 'a.js': fine }, ['--rule', 'no-such-rule=error']],
    [2, 'the severity does not exist', { 'a.js': fine }, ['--rule', 'no-unreleased-client=fatal']],
    [2, 'the pooler is misspelt', { 'a.js': fine }, ['--pooler', 'pgbouncer:fast']],
    [2, 'the count is no number', { 'a.js': fine }, ['--max-warnings', 'few']],
    [2, 'the preset is unknown', { 'a.js': fine }, ['--preset', 'strictest']],
    [
      2,
      'what was suppressed is not there',
      { 'a.js': fine },
      ['--suppressions-location', 'missing.json'],
    ],
    [
      2,
      'what was suppressed is no JSON',
      { 'a.js': fine, 'eslint-suppressions.json': '{ "a.js": [' },
      [],
    ],
    [2, 'the format is unknown', { 'a.js': fine }, ['--format', 'xml']],
    [
      2,
      'the report cannot be written',
      { 'a.js': fine },
      ['--output-file', 'no/such/folder/report.txt'],
    ],
  ])('%i when %s', async (code, _, files, args) => {
    const run = await lint(files, ...args);
    expect(run).toMatchObject({ code });
    if (code === 2) expect(run.stderr).toMatch(/^[^\n]*[A-Za-z][^\n]*[.)]\n$/u);
  });
});

describe('the files', () => {
  async function checked(
    files: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<string[]> {
    const { stdout } = await lint(files, '--format', 'json', ...args);
    return (JSON.parse(stdout) as { filePath: string }[]).map(({ filePath }) =>
      filePath.slice(folder.path.length + 1).replaceAll('\\', '/'),
    );
  }

  it('are all sources but build output, dependencies and what git ignores', async () => {
    const files = {
      'a.js': fine,
      'b.tsx': fine,
      'deep/er/c.mts': fine,
      'types.d.ts': fine,
      'd.min.js': fine,
      'node_modules/x/index.js': fine,
      'dist/e.js': fine,
      'packages/p/build/f.js': fine,
      'coverage/g.js': fine,
      '.gitignore': 'generated/\n*.gen.ts\n!keep.gen.ts\n',
      'generated/h.js': fine,
      'i.gen.ts': fine,
      'keep.gen.ts': fine,
      'packages/p/.gitignore': '/local.js\n',
      'packages/p/local.js': fine,
      'packages/p/src/local.js': fine,
    };
    expect(await checked(files)).toEqual([
      'a.js',
      'b.tsx',
      'deep/er/c.mts',
      'keep.gen.ts',
      'packages/p/src/local.js',
    ]);
  });

  it('can be named: files, folders and patterns, each file once', async () => {
    const files = { 'src/a.js': fine, 'src/b.ts': fine, 'other/c.ts': fine, 'dist/d.js': fine };
    expect(await checked(files, 'src', 'src/a.js', 'other/*.ts', 'dist/d.js')).toEqual([
      'dist/d.js',
      'other/c.ts',
      'src/a.js',
      'src/b.ts',
    ]);
  });

  it('are fewer by patterns that begin with an exclamation mark, and by --ignore-pattern', async () => {
    const files = {
      'src/a.js': fine,
      'src/__tests__/b.js': fine,
      'tools/c.ts': fine,
      '!odd.js': fine,
    };
    expect(await checked(files, '!**/__tests__/**')).toEqual(['!odd.js', 'src/a.js', 'tools/c.ts']);
    expect(await checked(files, 'src', '!src/__tests__')).toEqual(['src/a.js']);
    expect(await checked(files, '!odd.js')).toEqual(['!odd.js']);
    expect(
      await checked(files, '--ignore-pattern', '**/__tests__/', '--ignore-pattern', './tools'),
    ).toEqual(['!odd.js', 'src/a.js']);
  });

  it('may have names that look like patterns or addresses', async () => {
    expect(
      await checked({ 'app/[id]/(group)/page.ts': fine, '100%.js': fine, '#a?.js': fine }),
    ).toEqual(['#a?.js', '100%.js', 'app/[id]/(group)/page.ts']);
    expect(await checked({}, 'app/[id]')).toEqual(['app/[id]/(group)/page.ts']);
  });

  it.skipIf(process.platform === 'win32')(
    'are not searched through links that lead back',
    async () => {
      await mkdir(join(folder.path, 'src'));
      await symlink('..', join(folder.path, 'src', 'loop'));
      expect(await checked({ 'src/a.js': fine })).toEqual(['src/a.js']);
    },
  );
});

describe('stylish', () => {
  it('shows each problem and its path', async () => {
    const { stdout } = await lint({ 'src/a.js': leak, 'src/b.js': fine });
    expect(stdout).toBe(`src/a.js
  1:22  error    The client is never released.  poolguard/no-unreleased-client
        ↳ line 1:22  The client is acquired here.
        ↳ line 1:36  It is lost here.

✖ 1 problem (1 error, 0 warnings), 2 files checked.
`);
  });

  it('says so when all is well', async () => {
    expect(await lint({ 'a.js': fine })).toMatchObject({
      stdout: '✔ No problems, 1 file checked.\n',
      stderr: '',
    });
  });

  it.skipIf(process.platform === 'win32')(
    'neutralises control characters in file names and messages',
    async () => {
      const { stdout } = await lint({
        'a\u001B]0;owned\u0007\u202E.js': leak,
        'b.js': 'const a = "\u001B[2J',
      });
      expect(stdout).toContain('a\\u001b]0;owned\\u0007\\u202e.js');
      expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    },
  );

  it.skipIf(process.platform === 'win32').each(['json', 'sarif'])(
    'hides nothing in %s, which parses to the names as they are',
    async (format) => {
      const name = 'a\u009B\u200B\u202E\u{E0041}.js';
      const { stdout } = await lint({ [name]: leak }, '--format', format);
      expect(stdout).not.toMatch(rawHidden);
      expect(JSON.stringify(JSON.parse(stdout))).toMatch(
        new RegExp(format === 'json' ? name : encodeURIComponent(name), 'u'),
      );
    },
  );
});

describe('json', () => {
  it('has the shape of ESLint’s', async () => {
    const { stdout } = await lint(
      { 'a.js': leak, 'b.js': `${leak.trim()} // eslint-disable-line -- why not\n` },
      '--format',
      'json',
    );
    expect(JSON.parse(stdout)).toEqual([
      {
        filePath: join(folder.path, 'a.js'),
        messages: [
          {
            ruleId: 'poolguard/no-unreleased-client',
            severity: 2,
            message: 'The client is never released.',
            messageId: 'leaked',
            line: 1,
            column: 22,
            endLine: 1,
            endColumn: 36,
            suggestions: [
              {
                messageId: 'release',
                desc: 'Release it.',
                fix: { range: [35, 35], text: '.then((client) => client.release())' },
              },
            ],
          },
        ],
        suppressedMessages: [],
        errorCount: 1,
        fatalErrorCount: 0,
        warningCount: 0,
        fixableErrorCount: 0,
        fixableWarningCount: 0,
        source: leak,
        usedDeprecatedRules: [],
      },
      {
        filePath: join(folder.path, 'b.js'),
        messages: [],
        suppressedMessages: [
          expect.objectContaining({
            ruleId: 'poolguard/no-unreleased-client',
            suppressions: [{ kind: 'directive', justification: 'why not' }],
          }),
        ],
        errorCount: 0,
        fatalErrorCount: 0,
        warningCount: 0,
        fixableErrorCount: 0,
        fixableWarningCount: 0,
        usedDeprecatedRules: [],
      },
    ]);
  });
});

describe('sarif', () => {
  interface Sarif {
    readonly version: string;
    readonly $schema: string;
    readonly runs: readonly [
      {
        readonly tool: { driver: object };
        readonly results: readonly object[];
        readonly invocations: readonly object[];
      },
    ];
  }

  async function sarif(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Sarif> {
    return JSON.parse((await lint(files, '--format', 'sarif', ...args)).stdout) as Sarif;
  }

  it('names its version, tool and rules', async () => {
    const {
      version,
      $schema,
      runs: [{ tool }],
    } = await sarif({ 'a.js': fine });
    expect({ version, $schema }).toEqual({
      version: '2.1.0',
      $schema: expect.stringMatching(/^https:.*sarif-schema-2\.1\.0\.json$/u) as string,
    });
    expect(tool.driver).toEqual({
      name: 'Poolguard',
      semanticVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/u) as string,
      rules: [
        {
          id: 'poolguard/no-unreleased-client',
          shortDescription: { text: 'Clients come back.' },
          helpUri:
            'https://github.com/poolguard/poolguard/blob/main/docs/rules/no-unreleased-client.md',
        },
      ],
    });
  });

  it('places a result by a relative address and shows its path as a code flow', async () => {
    const {
      runs: [{ results }],
    } = await sarif({ 'a b/[c].js': leak });
    const artifactLocation = { uri: 'a%20b/%5Bc%5D.js', uriBaseId: '%SRCROOT%' };
    const at = (startColumn: number, text: string) => ({
      location: {
        physicalLocation: {
          artifactLocation,
          region: { startLine: 1, startColumn, endLine: 1, endColumn: 36 },
        },
        message: { text },
      },
    });
    expect(results).toEqual([
      {
        ruleId: 'poolguard/no-unreleased-client',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'The client is never released.' },
        locations: [{ physicalLocation: at(22, '').location.physicalLocation }],
        codeFlows: [
          {
            threadFlows: [
              { locations: [at(22, 'The client is acquired here.'), at(36, 'It is lost here.')] },
            ],
          },
        ],
      },
    ]);
  });

  it('keeps what a comment suppressed, with the reason', async () => {
    const {
      runs: [{ results }],
    } = await sarif({ 'a.js': `${leak.trim()} // eslint-disable-line -- why not\n` });
    expect(results).toEqual([
      expect.objectContaining({ suppressions: [{ kind: 'inSource', justification: 'why not' }] }),
    ]);
  });

  it('tells that a file was not checked', async () => {
    const {
      runs: [{ results, invocations }],
    } = await sarif({ 'a.js': 'const = ;' });
    expect(results).toEqual([]);
    expect(invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [expect.objectContaining({ level: 'error' })],
      },
    ]);
  });

  it('gives files elsewhere their full address', async () => {
    await using elsewhere = await createTemporaryFolder({ 'a.js': leak });
    const {
      runs: [{ results }],
    } = await sarif({}, elsewhere.path);
    expect(JSON.stringify(results)).toContain(pathToFileURL(join(elsewhere.path, 'a.js')).href);
  });

  it('is written to a file on request', async () => {
    expect(await lint({ 'a.js': leak }, '--format', 'sarif', '--output-file', 'out.sarif')).toEqual(
      { code: 1, stdout: '', stderr: '✖ 1 problem (1 error, 0 warnings), 1 file checked.\n' },
    );
    expect(JSON.parse(await readFile(join(folder.path, 'out.sarif'), 'utf8'))).toMatchObject({
      version: '2.1.0',
    });
  });
});

describe('what eslint --suppress-all has written down', () => {
  const rule = 'poolguard/no-unreleased-client';
  const suppressing = (count: number) => ({
    'src/a.js': leak.repeat(2).replace('client', 'other'),
    'eslint-suppressions.json': JSON.stringify({ 'src/a.js': { [rule]: { count } } }),
  });

  it('is not reported, and told to machines', async () => {
    const { code, stdout } = await lint(suppressing(2), '--json');
    const [file] = JSON.parse(stdout) as { errorCount: number; suppressedMessages: unknown[] }[];
    expect(code).toBe(0);
    expect(file).toMatchObject({
      errorCount: 0,
      messages: [],
      suppressedMessages: [1, 2].map((line) => ({
        ruleId: rule,
        line,
        suppressions: [{ kind: 'file', justification: '' }],
      })),
    });
  });

  it('is reported as a whole where there is more of it', async () => {
    const { code, stdout } = await lint(suppressing(1));
    expect(code).toBe(1);
    expect(stdout).toContain('2 problems (2 errors, 0 warnings)');
  });

  it('says nothing of warnings, other rules and other files', async () => {
    const files = { ...suppressing(2), 'src/b.js': leak };
    expect((await lint(files)).stdout).toContain('1 problem (1 error, 0 warnings)');
    const asWarnings = await lint(files, '--rule', 'no-unreleased-client=warn');
    expect(asWarnings.stdout).toContain('3 problems (0 errors, 3 warnings)');
  });

  it.each([
    ['{', 'it is not JSON'],
    ['null', 'it is not an object'],
    ['{ "src/a.js": { "x": {} } }', 'src/a.js.x.count is missing'],
  ])('is not taken from %s', async (written, what) => {
    const { code, stderr } = await lint({ 'a.js': fine, 'eslint-suppressions.json': written });
    expect([code, stderr]).toEqual([
      2,
      `eslint-suppressions.json is not a suppressions file of ESLint: ${what}. Delete it and run again with --suppress-all.\n`,
    ]);
  });

  it('may lie elsewhere', async () => {
    const { 'eslint-suppressions.json': written, ...files } = suppressing(2);
    const run = await lint(
      { ...files, 'known.json': written },
      '--suppressions-location',
      'known.json',
    );
    expect(run).toMatchObject({ code: 0 });
  });

  it('fails where it no longer occurs, and says how that is resolved', async () => {
    const { code, stdout, stderr } = await lint(suppressing(3));
    expect([code, stdout, stderr]).toEqual([
      2,
      '✔ No problems, 1 file checked.\n',
      'eslint-suppressions.json suppresses errors that no longer occur. Run again with --prune-suppressions to remove them, or with --pass-on-unpruned-suppressions to ignore them.\n',
    ]);
    expect(await lint({}, '--pass-on-unpruned-suppressions')).toMatchObject({ code: 0 });
  });

  it('belongs to ESLint where other rules are suppressed, and stays where a file does not parse', async () => {
    const others = { 'no-var': { count: 2 } };
    const files = {
      'src/a.js': 'const = ;',
      'eslint-suppressions.json': JSON.stringify({
        'src/a.js': { [rule]: { count: 1 }, ...others },
        'src/gone.js': { [rule]: { count: 1 }, ...others },
      }),
    };
    expect(await lint(files, '--prune-suppressions')).toMatchObject({ code: 1 });
    expect(
      JSON.parse(await readFile(join(folder.path, 'eslint-suppressions.json'), 'utf8')),
    ).toEqual({
      'src/a.js': { [rule]: { count: 1 }, ...others },
      'src/gone.js': others,
    });
  });

  it.each([
    [
      ['--suppress-rule', 'no-unreleased-clients'],
      '--suppress-rule: there is no rule no-unreleased-clients. Did you mean no-unreleased-client? The rules are no-unreleased-client.\n',
    ],
    [
      ['--suppress-all', '--prune-suppressions'],
      "Option '--suppress-all' cannot be used with option '--prune-suppressions'. Run poolguard lint --help to see what there is.\n",
    ],
    [['--suppressions-location', '.'], '. is not a regular file.\n'],
  ])('is not written with %j', async (args, sentence) => {
    const { code, stderr } = await lint({ 'a.js': leak }, ...args);
    expect([code, stderr]).toEqual([2, sentence]);
  });
});

describe('a file that could not be analysed', () => {
  const files = { 'a.js': fine, 'b.js': '// break here\n' };

  /** With rules that fail at files which ask for it. */
  async function lintBroken(env: Readonly<Record<string, string>>, ...args: string[]) {
    await folder.write(files);
    return runInProcess(['lint', ...args], {
      cwd: folder.path,
      env,
      commands: [
        (program, io) => {
          const analyser = createTinyAnalyser(({ text }) =>
            text.includes('break') ? { mistake: () => new Error('out of luck.') } : {},
          );
          addLintCommand(program, io, rulesOf(analyser));
        },
      ],
    });
  }

  it('is named at the end, and has an exit code of its own', async () => {
    expect(await lintBroken({})).toEqual({
      code: 3,
      stdout: '✔ No problems, 1 file checked.\n1 file could not be analysed: b.js: out of luck\n',
      stderr: '',
    });
  });

  it('is one of several', async () => {
    await folder.write({ 'c.js': '// break\n' });
    expect((await lintBroken({})).stdout).toContain(
      '2 files could not be analysed:\n  b.js: out of luck\n  c.js: out of luck\n',
    );
  });

  it('does not hide errors of others', async () => {
    await folder.write({ 'c.js': leak });
    expect((await lintBroken({})).code).toBe(1);
  });

  it('is told to machines', async () => {
    const json = JSON.parse((await lintBroken({}, '--format', 'json')).stdout) as unknown[];
    expect(json).toEqual([
      expect.not.objectContaining({ notAnalysed: expect.anything() as unknown }),
      expect.objectContaining({ notAnalysed: 'out of luck' }),
    ]);
    const sarif: unknown = JSON.parse((await lintBroken({}, '--format', 'sarif')).stdout);
    expect(sarif).toMatchObject({
      runs: [
        {
          invocations: [
            {
              executionSuccessful: false,
              toolExecutionNotifications: [
                { message: { text: 'The file could not be analysed: out of luck.' } },
              ],
            },
          ],
        },
      ],
    });
  });

  it('has its stack told with POOLGUARD_DEBUG=1', async () => {
    expect((await lintBroken({ POOLGUARD_DEBUG: '1' })).stderr).toMatch(
      /^Error: out of luck\.\n at .*lint\.test\.ts:\d+/u,
    );
  });

  it('is not remembered', async () => {
    await lintBroken({}, '--cache');
    expect((await lintBroken({}, '--cache')).code).toBe(3);
  });
});
