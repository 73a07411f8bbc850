import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileStates } from '../../../rules/project/file-states.ts';
import { createPackages } from '../../../rules/project/packages.ts';
import { globsOfPnpm } from '../../../rules/project/workspaces.ts';
import { withResolver } from '../../support/resolved.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const pool = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
const app = "import { pool } from '@shop/db'; pool.connect();";
const npm = JSON.stringify({ workspaces: ['packages/*'] });

interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** `packages/app/a.ts` unless given; it uses `pool`. */
  readonly from?: string;
  /** "pool" unless given. */
  readonly kind?: string;
}

function checkPackages(samples: readonly Sample[]): void {
  test.each(samples.map((sample) => [sample.name, sample] as const))(
    '%s',
    async (_name, { files, from = 'packages/app/a.ts', kind = 'pool' }) => {
      expect((await withResolver(files, (entityAt) => entityAt(from, 'pool')))?.kind).toBe(kind);
    },
  );
}

const manifest = (more: object): string => JSON.stringify({ name: '@shop/db', ...more });
const at = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'package.json': npm,
  'packages/app/a.ts': app,
  ...files,
});

describe('packages of the same repository', () => {
  checkPackages([
    {
      name: 'npm workspaces, main in dist, source in src',
      files: at({
        'packages/db/package.json': manifest({ main: './dist/index.js' }),
        'packages/db/src/index.ts': pool,
      }),
    },
    {
      name: 'a main without a leading dot',
      files: at({
        'packages/db/package.json': manifest({ main: 'lib/index.js' }),
        'packages/db/src/index.ts': pool,
      }),
    },
    {
      name: 'the source of a main that was built beside it',
      files: at({
        'packages/db/package.json': manifest({ main: 'dist/db.js' }),
        'packages/db/db.ts': pool,
      }),
    },
    {
      name: 'no main at all',
      files: at({ 'packages/db/package.json': manifest({}), 'packages/db/index.js': pool }),
    },
    {
      name: 'types only',
      files: at({
        'packages/db/package.json': manifest({ types: 'dist/types/index.d.ts' }),
        'packages/db/src/index.ts': pool,
      }),
    },
    {
      name: 'exports with conditions',
      files: at({
        'packages/db/package.json': manifest({
          exports: {
            '.': {
              types: './dist/index.d.ts',
              import: { node: './dist/index.mjs' },
              require: './dist/index.cjs',
            },
          },
        }),
        'packages/db/src/index.ts': pool,
      }),
    },
    {
      name: 'exports with a condition for sources',
      files: at({
        'packages/db/package.json': manifest({
          exports: { '.': { default: './out-of-the-way.js', '@shop/source': './code/main.ts' } },
        }),
        'packages/db/code/main.ts': pool,
      }),
    },
    {
      name: 'exports as a plain path',
      files: at({
        'packages/db/package.json': manifest({ exports: './src/index.ts' }),
        'packages/db/src/index.ts': pool,
      }),
    },
    {
      name: 'a subpath by a pattern',
      files: {
        'package.json': npm,
        'packages/app/a.ts': "import { pool } from '@shop/db/lib/pool'; pool.connect();",
        'packages/db/package.json': manifest({
          exports: { './lib/*': { import: './dist/lib/*.js' } },
        }),
        'packages/db/src/lib/pool.ts': pool,
      },
    },
    {
      name: 'a subpath by the pattern with the longest beginning',
      files: {
        'package.json': npm,
        'packages/app/a.ts': "import { pool } from '@shop/db/lib/pool.js'; pool.connect();",
        'packages/db/package.json': manifest({
          exports: { './*/pool.js': './other/*/pool.js', './lib/*': './src/*' },
        }),
        'packages/db/src/pool.ts': pool,
        'packages/db/other/lib/pool.js': 'export const pool = {};',
      },
    },
    {
      name: 'a subpath without exports',
      files: {
        'package.json': npm,
        'packages/app/a.ts': "import { pool } from '@shop/db/lib/pool.js'; pool.connect();",
        'packages/db/package.json': manifest({}),
        'packages/db/src/lib/pool.ts': pool,
      },
    },
    {
      name: 'outDir and rootDir of tsconfig.json',
      files: at({
        'packages/db/package.json': manifest({ main: 'target/main.js' }),
        'packages/db/tsconfig.json':
          '{ "compilerOptions": { "outDir": "target", "rootDir": "code", } }',
        'packages/db/code/main.ts': pool,
      }),
    },
    {
      name: 'outDir and rootDir of what tsconfig.json extends',
      files: {
        ...at({
          'packages/db/package.json': manifest({ main: 'target/main.js' }),
          'packages/db/tsconfig.json':
            '{ "extends": "../../tsconfig.base.json", "compilerOptions": { "rootDir": "code" } }',
          'packages/db/code/main.ts': pool,
        }),
        'tsconfig.base.json':
          '{ "compilerOptions": { "outDir": "${configDir}/target", "rootDir": "src" } }',
      },
    },
    {
      name: 'Yarn: workspaces as an object, with a deep glob and an exclusion',
      files: {
        ...at({
          'libs/data/db/package.json': manifest({ main: 'index.ts' }),
          'libs/data/db/index.ts': pool,
          'libs/old/db/package.json': manifest({ main: 'index.ts' }),
          'libs/old/db/index.ts': 'export const pool = 1;',
        }),
        'package.json': '{ "workspaces": { "packages": ["libs/**", "!libs/old/*"] } }',
      },
    },
    ...[
      'packages/*-db',
      '{libs/old,packages}/*',
      '**',
      './packages/{db,shop-db}',
      '**/shop-??',
    ].map((pattern) => ({
      name: `the pattern ${pattern}`,
      files: {
        ...at({
          'packages/shop-db/package.json': manifest({ main: 'index.ts' }),
          'packages/shop-db/index.ts': pool,
        }),
        'package.json': JSON.stringify({ workspaces: [pattern] }),
      },
    })),
    {
      name: 'pnpm',
      files: {
        ...at({
          'packages/db/package.json': manifest({ main: 'dist/index.js' }),
          'packages/db/src/index.ts': pool,
        }),
        'package.json': '{}',
        'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\ncatalog:\n  x: 1\n",
      },
    },
    {
      name: 'Lerna',
      files: {
        ...at({
          'packages/db/package.json': manifest({ main: 'dist/index.js' }),
          'packages/db/src/index.ts': pool,
        }),
        'package.json': '{}',
        'lerna.json': '{ "packages": ["packages/{db,app}"] }',
      },
    },
    {
      name: 'its own name',
      files: {
        'package.json': '{ "name": "shop", "exports": { "./db": "./dist/db.js" } }',
        'src/db.ts': pool,
        'packages/app/a.ts': "import { pool } from 'shop/db'; pool.connect();",
      },
    },
    {
      name: 'imports of package.json',
      files: {
        'package.json':
          '{ "imports": { "#db": { "types": "./types/db.d.ts", "default": "./src/db.js" } } }',
        'src/db.ts': pool,
        'packages/app/a.ts': "import { pool } from '#db'; pool.connect();",
      },
    },
    {
      name: 'imports of package.json by a pattern',
      files: {
        'package.json': '{ "imports": { "#*": "./src/*.js" } }',
        'src/lib/db.ts': pool,
        'packages/app/a.ts': "import { pool } from '#lib/db'; pool.connect();",
      },
    },
    {
      name: 'aliases of a configuration that another one refers to',
      files: {
        'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
        'tsconfig.app.json':
          '{ "compilerOptions": { "paths": { "@shop/*": ["./packages/*/main"] } } }',
        'packages/db/main.ts': pool,
        'packages/app/a.ts': app,
      },
    },
  ]);
});

describe('what is not followed', () => {
  checkPackages([
    {
      name: 'an installed package',
      kind: 'package',
      files: at({
        'node_modules/@shop/db/package.json': manifest({ main: 'index.js' }),
        'node_modules/@shop/db/index.js': pool,
        'packages/db/package.json': manifest({}),
        'packages/db/index.js': pool,
      }),
    },
    {
      name: 'a main outside of its package',
      kind: 'package',
      files: at({
        'packages/db/package.json': manifest({ main: '../app/db.js' }),
        'packages/app/db.js': pool,
      }),
    },
    {
      name: 'a subpath that climbs',
      kind: 'package',
      files: {
        'package.json': npm,
        'packages/app/a.ts': "import { pool } from '@shop/db/../app/db.js'; pool.connect();",
        'packages/db/package.json': manifest({}),
        'packages/app/db.js': pool,
      },
    },
    {
      name: 'a name of every object',
      kind: 'package',
      files: {
        ...at({}),
        'packages/app/a.ts': "import { pool } from '__proto__/constructor'; pool.connect();",
        'packages/db/package.json':
          '{ "name": "__proto__", "exports": { "__proto__": "./x.js" }, "main": { "__proto__": [null, 3] } }',
      },
    },
    {
      name: 'manifests that are no objects',
      kind: 'package',
      files: {
        ...at({
          'packages/db/package.json': '[]',
          'packages/x/package.json': 'null',
          'packages/y/package.json': '{',
        }),
        'lerna.json': 'null',
        'pnpm-workspace.yaml': ':',
      },
    },
  ]);

  test('links in node_modules lead into the repository, and loops of links nowhere', async () => {
    await using folder = await createTemporaryFolder({
      'packages/db/package.json': manifest({ main: './dist/index.js' }),
      'packages/db/src/index.ts': pool,
      'app/a.ts': app,
    });
    const scope = join(folder.path, 'app/node_modules/@shop');
    mkdirSync(scope, { recursive: true });
    symlinkSync('../../../packages/db', join(scope, 'db'));
    symlinkSync('loop', join(scope, 'loop'));
    mkdirSync(join(folder.path, 'app/node_modules/.store/@shop/real'), { recursive: true });
    symlinkSync('../.store/@shop/real', join(scope, 'real'));
    const packages = createPackages(createFileStates());
    expect(packages.pathsFor('@shop/db', join(folder.path, 'app'))).toContain(
      join(folder.path, 'packages/db/src/index'),
    );
    expect(packages.pathsFor('@shop/loop', join(folder.path, 'app'))).toEqual([]);
    expect(packages.pathsFor('@shop/real', join(folder.path, 'app'))).toEqual([]);
  });

  test('a glob is no way to keep the analysis busy', async () => {
    const globs = [
      '*'.repeat(200),
      '?*'.repeat(100),
      `!${'**/'.repeat(60)}x`,
      '**/'.repeat(40),
      '{a,b}'.repeat(40),
    ];
    await using folder = await createTemporaryFolder({
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, each) => [
          `${'a'.repeat(100 + each)}/${'b/'.repeat(20)}c.txt`,
          '',
        ]),
      ),
      'package.json': JSON.stringify({ workspaces: globs }),
    });
    expect(
      createPackages(createFileStates()).pathsFor('missing', dirname(join(folder.path, 'a.ts'))),
    ).toEqual([]);
  });
});

test.each([
  [
    "packages:\n  - 'packages/*' # all\n  - \"apps/*\"\n  - plain\n  - '!x'\nonlyBuiltDependencies:\n  - esbuild\n",
    ['packages/*', 'apps/*', 'plain', '!x'],
  ],
  ['catalog: {}\n\npackages:\n- a\n\n# b\n- c', ['a', 'c']],
  ["packages: ['a/*', b]", ['a/*', 'b']],
  ['packages:', []],
  ['other:\n  - a', undefined],
])('the packages of pnpm-workspace.yaml', (text, globs) => {
  expect(globsOfPnpm(text)).toEqual(globs);
});
