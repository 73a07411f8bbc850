import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileStates } from '../../../rules/project/file-states.ts';
import { drivers } from '../../../rules/model/drivers.ts';
import { createDriverNear } from '../../../src/lint/driver-near.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

const manifest = (content: object): string => JSON.stringify(content);
const depending = (...names: readonly string[]): string =>
  manifest({ dependencies: Object.fromEntries(names.map((name) => [name, '*'])) });
const workspaces = manifest({ workspaces: ['packages/*'] });

async function isNear(files: Files, path = 'src/a.ts', folder = '.'): Promise<boolean> {
  await using root = await createTemporaryFolder(files);
  return createDriverNear(createFileStates()).isNear(
    join(root.path, path),
    join(root.path, folder),
  );
}

/** What a folder holds, and which file of it is asked about, in which folder that an editor has open. */
type Sample = readonly [name: string, files: Files, path?: string, folder?: string];

function checkNear(expected: boolean, samples: readonly Sample[]): void {
  it.each(samples.map((sample) => [sample[0], sample] as const))(
    '%s',
    async (_name, [, files, path, folder]) => {
      expect(await isNear(files, path, folder)).toBe(expected);
    },
  );
}

describe('a driver is near', () => {
  checkNear(true, [
    ...drivers.map(
      ({ module }) =>
        [
          `with ${module}`,
          { 'package.json': depending(module.replace(/\/promise$/u, '')) },
        ] as const,
    ),
    ...['devDependencies', 'peerDependencies', 'optionalDependencies'].map(
      (kind) => [`in ${kind}`, { 'package.json': manifest({ [kind]: { pg: '8' } }) }] as const,
    ),
    ['under another name', { 'package.json': manifest({ dependencies: { db: 'npm:pg@8' } }) }],
    ['as types only', { 'package.json': manifest({ devDependencies: { '@types/pg': '8' } }) }],
    [
      'in a manifest above',
      { 'package.json': depending('pg'), 'packages/app/package.json': '{}' },
      'packages/app/a.ts',
    ],
    [
      'above the folder, at the root of the repository',
      { '.git/HEAD': '', 'package.json': depending('pg'), 'packages/app/package.json': '{}' },
      'packages/app/a.ts',
      'packages/app',
    ],
    [
      'in a package of the workspace',
      {
        'package.json': workspaces,
        'packages/app/package.json': depending('@shop/core'),
        'packages/core/package.json': manifest({
          name: '@shop/core',
          dependencies: { '@shop/db': '*' },
        }),
        'packages/db/package.json': manifest({ name: '@shop/db', dependencies: { pg: '8' } }),
      },
      'packages/app/a.ts',
    ],
    [
      'in a folder that a manifest names',
      {
        'app/package.json': manifest({ dependencies: { db: 'file:../db' } }),
        'db/package.json': depending('pg'),
      },
      'app/a.ts',
    ],
    ['as far as can be told without a manifest', { 'src/a.ts': '' }],
    [
      'as far as can be told from a manifest that does not parse',
      { 'package.json': '{ "dependencies": {' },
    ],
    [
      'as far as can be told in Deno',
      { 'package.json': '{}', 'functions/deno.json': '{}' },
      'functions/a.ts',
    ],
    [
      'as far as can be told outside of the folder',
      { 'app/package.json': '{}', 'other/package.json': '{}' },
      'other/a.ts',
      'app',
    ],
  ]);
});

describe('no driver is near', () => {
  checkNear(false, [
    ['with other dependencies', { 'package.json': depending('react', 'pgp', 'pg-promise-not') }],
    [
      'with strange dependencies',
      {
        'package.json': manifest({
          dependencies: ['pg'],
          devDependencies: null,
          peerDependencies: 'pg',
          optionalDependencies: { react: { version: 1 } },
        }),
      },
    ],
    [
      'beside a package that has one',
      {
        'package.json': workspaces,
        'packages/web/package.json': depending('react'),
        'packages/db/package.json': manifest({ name: '@shop/db', dependencies: { pg: '8' } }),
      },
      'packages/web/a.ts',
    ],
    [
      'above the repository',
      {
        'package.json': depending('pg'),
        'repository/.git/HEAD': '',
        'repository/package.json': '{}',
      },
      'repository/a.ts',
      'repository',
    ],
    [
      'in packages that depend on each other',
      {
        'package.json': workspaces,
        'packages/a/package.json': manifest({ name: 'a', dependencies: { b: '*' } }),
        'packages/b/package.json': manifest({ name: 'b', dependencies: { a: '*' } }),
      },
      'packages/a/a.ts',
    ],
  ]);
});

it('an answer changes with the manifest once it is told so', async () => {
  await using root = await createTemporaryFolder({ 'package.json': '{}' });
  const near = createDriverNear(createFileStates());
  const ask = (): boolean => near.isNear(join(root.path, 'src/a.ts'), root.path);
  expect(ask()).toBe(false);
  await root.write({ 'package.json': depending('pg') });
  expect(ask()).toBe(false);
  near.invalidate();
  expect(ask()).toBe(true);
});
