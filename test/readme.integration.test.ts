import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { adviseBy } from '../src/probe/advise/formulas.ts';
import { fieldReportStages } from '../src/probe/users/users-at.ts';
import { toInstall } from '../src/publication.ts';
import type { StoredResults } from './corpus/runner/accuracy-docs.ts';
import { codeBlocksOf, type CodeBlock } from './support/code-blocks.ts';
import { documents, textOf } from './support/documents.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = codeBlocksOf(readme);
const leaky = join(root, 'examples/leaky-api');

interface Setting {
  readonly default?: unknown;
}

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

function block(predicate: (block: CodeBlock) => boolean): string {
  const found = blocks.find(predicate);
  if (found === undefined)
    throw new Error('The README has no such block any more; adapt this test.');
  return found.text;
}

/** A folder inside the repository, so that packages resolve as in a user's project, with the README's configuration in it. */
async function withProject<T>(
  file: string,
  text: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(leaky, '.cache-readme-'));
  try {
    await writeFile(join(folder, file), text);
    await writeFile(
      join(folder, 'users.ts'),
      readFileSync(join(leaky, 'src/routes/users.ts'), 'utf8').replace(
        "'../db.ts'",
        "'../src/db.ts'",
      ),
    );
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The program's standard output, whatever its exit code says. */
async function outputOf(program: string, args: readonly string[], cwd: string): Promise<string> {
  return run(program, [...args], { cwd, env: { ...process.env, NO_COLOR: '1' } }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

describe.each(documents)('%s', (document) => {
  test('every link within the repository leads somewhere', () => {
    const text = textOf(document);
    const links = [...text.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(link, document))).toEqual([]);
  });
});

function leadsSomewhere(link: string, from: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? resolve(root, from) : resolve(root, dirname(from), path);
  return (
    existsSync(target) &&
    (heading === undefined || headingsOf(readFileSync(target, 'utf8')).has(heading))
  );
}

function headingsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the configuration', () => {
  test('the ESLint configuration finds the leaks of an example', async () => {
    const config = block(
      ({ language, text }) => language === 'js' && text.includes('defineConfig'),
    );
    const [, file = ''] = /In `([\w.]+)`:\n\n```js\n/u.exec(readme) ?? [];
    const output = await withProject(file, config, (folder) =>
      outputOf(
        process.execPath,
        [join(root, 'node_modules/eslint/bin/eslint.js'), 'users.ts'],
        folder,
      ),
    );
    expect(output.match(/poolguard\/no-unreleased-client/g)).toHaveLength(2);
  });

  test('the packages that are installed are ESLint and all that the configuration imports', () => {
    const config = block(
      ({ language, text }) => language === 'js' && text.includes('defineConfig'),
    );
    const imported = [...config.matchAll(/from '([^'/]+)/gu)].map(([, name = '']) => name);
    const installed = block(
      ({ language, text }) => language === 'sh' && text.includes('typescript-eslint'),
    )
      .trim()
      .split(' ')
      .slice(3);
    const needed = imported.map((name) =>
      name === 'eslint-plugin-poolguard' ? toInstall(name) : name,
    );
    expect([...installed].sort()).toEqual([...new Set(['eslint', ...needed])].sort());
  });
});

describe('the tables', () => {
  test('have as many rules as the README and docs/rules.md say', () => {
    const rules = textOf('docs/rules.md').match(/^\| \[/gmu)?.length;
    expect(readme).toContain(`[${rules} rules](docs/rules.md) in three presets`);
    expect(textOf('docs/rules.md')).toContain(`Poolguard has ${rules} rules in three presets.`);
  });

  test('name every setting of the extension with its default', () => {
    const rows = [
      ...textOf('docs/settings.md').matchAll(
        /^\| `(poolguard\.[\w.]+)` \|.*\| `([^|]+)` \| [^|]+ \|$/gm,
      ),
    ].map(([, id, value]) => [id, JSON.parse(value ?? '') as unknown]);
    const settings = Object.entries(manifest.contributes.configuration.properties).map(
      ([id, setting]) => [id, setting.default],
    );
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(settings));
  });
});

describe('the first screen', () => {
  const screen = readme.slice(0, readme.indexOf('\n## '));

  test('has the figures of the corpus', () => {
    const { date, repositories, sites } = JSON.parse(
      textOf('test/corpus/sites.json'),
    ) as StoredResults;
    const leak = sites.scores['leak'];
    expect(screen).toContain(
      `On ${sites.measured} hand-labelled checkouts in ${repositories.length} public repositories its leak reports had a precision of ${leak?.precision?.toFixed(2)} and a recall of ${leak?.recall?.toFixed(2)} (${date}, `,
    );
  });

  test('has the figures of code that was never seen', () => {
    const accuracy = textOf('docs/accuracy.md');
    const [, sites, repositories] =
      /has (\d+) labelled sites in (\d+) other repositories, labelled before/u.exec(accuracy) ?? [];
    const [, precision, recall] =
      /On the first run leaks came to precision ([\d.]+) and recall ([\d.]+);/u.exec(accuracy) ??
      [];
    const [, found, leaks, alarms] =
      /On the first run (\d+) of its (\d+) leaks were reported and (\d+) report was false/u.exec(
        accuracy,
      ) ?? [];
    expect(screen).toContain(
      `The first run on a third, younger set found ${found} of ${leaks} leaks with ${alarms} false report.`,
    );
    expect(screen).toContain(
      `on ${sites} checkouts in ${repositories} repositories that it had never seen, the first run came to precision ${precision} and recall ${recall}.`,
    );
  });

  test('has the figures of the probe', () => {
    const [, right, runs, seconds] =
      /All together: (\d+) % right of \d+ answers in (\d+) runs; median time ([\d.]+) s/u.exec(
        textOf('docs/probe.md'),
      ) ?? [];
    const [, date] = /^Measured (\S+) on/mu.exec(textOf('docs/probe.md')) ?? [];
    expect(screen).toContain(
      `in ${(Number(right) * Number(runs)) / 100} of ${runs} runs, in ${Math.round(Number(seconds))} s (median, ${date}, `,
    );
  });

  test('names the versions of PostgreSQL that tests look at', () => {
    const versions = [...textOf('scripts/postgres-versions.mjs').matchAll(/(\d+): '\1\./gu)].map(
      ([, version]) => Number(version),
    );
    expect(screen).toContain(`PostgreSQL ${Math.min(...versions)} to ${Math.max(...versions) + 1}`);
  });

  test('fits a screen, and the page three more', () => {
    expect(screen.split('\n').length).toBeLessThan(35);
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

test('the other plugin has the figures of docs/accuracy.md', () => {
  const [, precision, recall] =
    /^\| leak \| ([\d.]+) \| ([\d.]+) \(/mu.exec(
      textOf('docs/accuracy.md').split('## The nearest other plugin')[1] ?? '',
    ) ?? [];
  const [, sites, repositories] =
    /On the larger set that these sites come from, (\d+) sites in (\d+) repositories/u.exec(
      textOf('docs/accuracy.md'),
    ) ?? [];
  expect(textOf('docs/comparison.md')).toContain(
    `[on ${sites} sites in ${repositories} repositories](accuracy.md#the-nearest-other-plugin), of which those of the README are a part, leaks with precision ${precision} and recall ${recall}: the two sets differ |`,
  );
});

test('formulas differ as much as docs/probe.md says', () => {
  const superuserReserved = 3;
  const { guesses } = adviseBy({
    serverCores: 2,
    applicationCores: 2,
    connections: 100 - superuserReserved,
    pools: 1,
    demand: null,
    observed: null,
  });
  const sizes = guesses.flatMap(({ size }) => size);
  expect(textOf('docs/probe.md')).toContain(
    `For a server of two cores and 100 connections, formulas answer anything from ${Math.min(...sizes)} to ${Math.max(...sizes)} (`,
  );
});

test('a sweep takes as long as docs/sweep.md says', () => {
  const page = textOf('docs/sweep.md');
  const sizes = /--sizes (\S+)/u.exec(page)?.[1]?.split(',').length ?? 0;
  const passes = 2;
  const seconds = fieldReportStages.reduce((sum, stage) => sum + stage.seconds, 0);
  expect(page).toContain(
    `Four sizes, twice each for ${seconds} s, take about ${Math.round((sizes * passes * seconds) / 60)} minutes`,
  );
});

describe('the commands', () => {
  test('the finding shown is what the command prints', async () => {
    const shown = block(
      ({ language, text }) => language === 'text' && text.startsWith('examples/'),
    );
    const printed = await outputOf(
      process.execPath,
      ['dist/cli.js', 'lint', 'examples/leaky-api/src/routes/users.ts'],
      root,
    );
    expect(printed.trim()).toBe(shown.trim());
  });

  test('POOLGUARD_DEBUG=verdicts tells of each acquire', () => {
    expect(textOf('docs/troubleshooting.md')).toContain(
      'POOLGUARD_DEBUG=verdicts npx poolguard lint src',
    );
    const { stderr } = spawnSync(
      process.execPath,
      ['dist/cli.js', 'lint', 'examples/leaky-api/src/routes/users.ts'],
      { cwd: root, encoding: 'utf8', env: { ...process.env, POOLGUARD_DEBUG: 'verdicts' } },
    );
    expect(
      stderr.match(/^poolguard: .*users\.ts:\d+:\d+ pool\.connect\(\): reported \(/gmu),
    ).toHaveLength(2);
  });
});
