import { describe, expect, test } from 'vitest';
import { createAliasFinder } from '../../../rules/project/import-paths.ts';
import { createFileStates } from '../../../rules/project/file-states.ts';
import { createPackages } from '../../../rules/project/packages.ts';
import { withResolver } from '../../support/resolved.ts';

const pool = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
const foreign = 'export const pool = {};\n';

interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** What the import of a pool comes to; "pool" unless given. */
  readonly kind?: string;
}

/** `app/src/a.ts` imports `@/db`. */
function checkAliases(samples: readonly Sample[]): void {
  test.each(samples.map((sample) => [sample.name, sample] as const))(
    '%s',
    async (_name, { files, kind = 'pool' }) => {
      const all = {
        'app/src/a.ts': "import { pool } from '@/db'; pool.connect();",
        'app/src/db.ts': pool,
        ...files,
      };
      const found = await withResolver(all, (entityAt) => entityAt('app/src/a.ts', 'pool'));
      expect(found?.kind).toBe(kind);
    },
  );
}

const config = (parents: unknown, compilerOptions: object = {}): string =>
  JSON.stringify({ extends: parents, compilerOptions });
const shared = config(undefined, { paths: { '@/*': ['${configDir}/src/*'] } });

describe('a configuration inherits aliases from', () => {
  checkAliases([
    {
      name: 'a package, whose tsconfig.json is meant',
      files: {
        'app/tsconfig.json': config('@shop/tsconfig'),
        'node_modules/@shop/tsconfig/tsconfig.json': shared,
      },
    },
    {
      name: 'a package that names its file by `tsconfig`',
      files: {
        'app/tsconfig.json': config('shop-config'),
        'node_modules/shop-config/package.json': '{ "tsconfig": "node.json" }',
        'node_modules/shop-config/node.json': shared,
      },
    },
    {
      name: 'a file of a package, without extension',
      files: {
        'app/tsconfig.json': config('@shop/tsconfig/node/base'),
        'app/node_modules/@shop/tsconfig/node/base.json': shared,
      },
    },
    {
      name: 'what `exports` of a package names',
      files: {
        'app/tsconfig.json': config('shop-config/node'),
        'node_modules/shop-config/package.json':
          '{ "exports": { "./node": "./configs/node.json" } }',
        'node_modules/shop-config/configs/node.json': shared,
      },
    },
    {
      name: 'a package of the repository that nobody has installed',
      files: {
        'package.json': '{ "workspaces": ["packages/*"] }',
        'app/tsconfig.json': config('@shop/tsconfig/base.json'),
        'packages/config/package.json': '{ "name": "@shop/tsconfig" }',
        'packages/config/base.json': shared,
      },
    },
    {
      name: 'a folder above',
      files: { 'app/tsconfig.json': config('..'), 'tsconfig.json': shared },
    },
    {
      name: 'several, of which the last one wins',
      files: {
        'app/tsconfig.json': config(['./a', './b.json']),
        'app/a.json': config(undefined, { paths: { '@/*': ['./other/*'] } }),
        'app/b.json': config(undefined, { paths: { '@/*': ['./src/*'] } }),
        'app/other/db.ts': foreign,
      },
    },
    {
      name: 'another, with paths below a baseUrl of its own',
      files: {
        'app/tsconfig.json': config('../base', { baseUrl: 'src' }),
        'base.json': config(undefined, { paths: { '@/*': ['./*'] } }),
      },
    },
    {
      name: 'another, but only what it says nothing of itself',
      files: {
        'app/tsconfig.json': config('../base', { paths: { '@/*': ['./src/*'] } }),
        'base.json': config(undefined, { baseUrl: '.', paths: { '@/*': ['./lib/*'] } }),
        'src/db.ts': foreign,
        'app/src/src/db.ts': foreign,
      },
      kind: 'object',
    },
    {
      name: 'one with comments and trailing commas',
      files: {
        'app/tsconfig.json': '{ "extends": ["../base",], /* no more */ }',
        'base.json':
          '\uFEFF{ // ours\n "compilerOptions": { "paths": { "@/*": ["./app/src/*",], }, }, }',
      },
    },
  ]);
});

describe('nothing is inherited', () => {
  checkAliases([
    {
      name: 'in a circle',
      kind: 'package',
      files: {
        'app/tsconfig.json': config('./b'),
        'app/b.json': config(['./tsconfig.json', './b.json']),
      },
    },
    {
      name: 'from a package that is not there, without loss of what is',
      files: {
        'app/tsconfig.json': config(['nowhere', 'nowhere/either', '/nowhere', 7, ''], {
          paths: { '@/*': ['./src/*'] },
        }),
      },
    },
    {
      name: 'from what `exports` hides outside of its package',
      kind: 'package',
      files: {
        'app/tsconfig.json': config('shop-config'),
        'node_modules/shop-config/package.json': '{ "exports": "../../hidden.json" }',
        'hidden.json': shared,
      },
    },
  ]);
});

test('of a long chain and a crowd of parents only so many files are looked at', () => {
  const crowd = Array.from({ length: 5000 }, (_, at) => `missing-${at}`);
  const texts = new Map([
    ['/shop/tsconfig.json', config([...crowd, './c0.json'], { paths: { '@/*': ['./src/*'] } })],
    ...Array.from({ length: 5000 }, (_, at): [string, string] => [
      `/shop/c${at}.json`,
      config(`./c${at + 1}.json`),
    ]),
  ]);
  const looked = new Set<string>();
  const fileStates = createFileStates({
    isFixed: true,
    textOf: (path) => {
      const text = texts.get(path);
      return text === undefined ? undefined : { text, version: 1 };
    },
    paths: () => texts.keys(),
    note: (path) => void looked.add(path),
  });
  const aliases = createAliasFinder(fileStates, createPackages(fileStates));
  expect(aliases.pathsFor('@/db', '/shop')).toEqual(['/shop/src/db']);
  expect(looked.size).toBeLessThan(500);
});

test('of several patterns the longest one that fits is meant', async () => {
  const files = {
    'tsconfig.json': config(undefined, {
      paths: { '*': ['./other/*'], '@shop/*': ['./some/*'], '@shop/d*': ['./src/d*'] },
    }),
    'src/db.ts': pool,
    'some/db.ts': foreign,
    'other/@shop/db.ts': foreign,
    'a.ts': "import { pool } from '@shop/db'; pool.connect();",
  };
  const found = await withResolver(files, (entityAt) => entityAt('a.ts', 'pool'));
  expect(found?.kind).toBe('pool');
});
