import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAliasFinder } from '../../../rules/project/import-paths.ts';
import { createFileStates } from '../../../rules/project/file-states.ts';
import { createPackages } from '../../../rules/project/packages.ts';
import { createDriverNear } from '../../../src/lint/driver-near.ts';
import { spoilt, strangeValue } from '../../support/spoilt.ts';

const manifests = [
  {
    name: 'shop',
    main: 'dist/main.js',
    workspaces: ['packages/*'],
    exports: { '.': { types: './dist/main.d.ts', default: ['./dist/main.js'] }, './*': './lib/*' },
    imports: { '#db': './src/db.ts' },
    dependencies: { db: 'file:./packages/db', pg: '8' },
  },
  { name: 'shop', source: 'src/main.ts', workspaces: { packages: ['packages/*'] } },
];
const configs = [
  {
    extends: ['./base.json', 'shop/tsconfig'],
    compilerOptions: { baseUrl: '.', outDir: 'dist', rootDir: 'src', paths: { '@/*': ['src/*'] } },
    references: [{ path: './tsconfig.app.json' }],
  },
  { imports: { '@/': './src/', pg: 'npm:pg@8' }, importMap: './map.json' },
];
const folder = resolve('/nowhere/shop');

/** What is asked of a project whose manifest and configuration are open in an editor. */
function ask(manifest: unknown, config: unknown): readonly unknown[] {
  const texts = new Map(
    Object.entries({
      'package.json': manifest,
      'tsconfig.json': config,
      'base.json': config,
      'map.json': config,
    }).map(([name, value]) => [join(folder, name), JSON.stringify(value)]),
  );
  const textOf = (path: string) => {
    const text = texts.get(path);
    return text === undefined ? undefined : { text, version: 1 };
  };
  const fileStates = createFileStates({ textOf, paths: () => texts.keys() });
  const packages = createPackages(fileStates);
  const aliases = createAliasFinder(fileStates, packages);
  return [
    ...['shop', 'shop/part', '#db', 'db'].flatMap((name) => packages.pathsFor(name, folder)),
    ...aliases.pathsFor('@/db', folder),
    aliases.packageFor('pg', folder),
    String(createDriverNear(fileStates).isNear(join(folder, 'a.ts'), folder)),
  ];
}

test('whatever JSON a manifest and a configuration hold, each question has an answer', () => {
  expect(ask(manifests[0], configs[0])).toEqual(
    expect.arrayContaining([join(folder, 'src/main'), join(folder, 'src/db.ts'), 'true']),
  );
  const any = (samples: readonly unknown[]) =>
    fc.oneof({ weight: 4, arbitrary: spoilt(samples) }, strangeValue);
  fc.assert(
    fc.property(any(manifests), any(configs), (manifest, config) => {
      for (const answer of ask(manifest, config)) expect(answer).toBeTypeOf('string');
    }),
    { numRuns: 300 },
  );
});
