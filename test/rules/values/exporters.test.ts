import { expect, test } from 'vitest';
import type { SourceFile } from '../../../rules/syntax/source-file.ts';
import { createResolver } from '../../../rules/values/create-resolver.ts';
import type { Resolver } from '../../../rules/values/resolver.ts';
import { withResolver } from '../../support/resolved.ts';

/** Modules of stars only, each by its path with those that it leads to. */
function resolverOf(stars: Readonly<Record<string, readonly string[]>>): Resolver {
  const files = new Map(
    Object.entries(stars).map(([path, specifiers]) => [
      path,
      {
        path,
        text: '',
        ast: {
          body: specifiers.map((value) => ({
            type: 'ExportAllDeclaration',
            exported: null,
            source: { value },
          })),
        },
      } as unknown as SourceFile,
    ]),
  );
  const open = (path: string): SourceFile | undefined => files.get(path);
  return createResolver({ open, read: open });
}

const start = { path: 'start' } as SourceFile;

test('a chain of 20,000 modules that export each other is followed to its end', () => {
  const length = 20_000;
  const chain = Array.from({ length }, (_, at) => [`a${at}`, [`a${at + 1}`]] as const);
  const resolver = resolverOf({ ...Object.fromEntries(chain), [`a${length}`]: ['pg'] });

  expect(resolver.importedFrom('a0', 'Pool', start)).toMatchObject({
    kind: 'driver',
    name: 'Pool',
  });
});

test('modules that all export each other are each looked at once', () => {
  const names = Array.from({ length: 100 }, (_, at) => `a${at}`);
  const all = Object.fromEntries(names.map((name) => [name, names]));
  const resolver = resolverOf({ ...all, a99: [...names, 'pg'] });

  expect(resolver.importedFrom('a0', 'Pool', start)).toMatchObject({
    kind: 'driver',
    name: 'Pool',
  });
  expect(resolver.importedFrom('a50', 'Pool', start)).toMatchObject({
    kind: 'driver',
    name: 'Pool',
  });
});

test('whichever module of a circle is asked first, each has what the others declare', async () => {
  const files = {
    'a.ts': "export * from './b';\nexport * from './c';",
    'b.ts': "import { Pool } from 'pg';\nexport * from './a';\nexport const one = new Pool();",
    'c.ts': "import { Pool } from 'pg';\nexport * from './b';\nexport const two = new Pool();",
    'user.ts':
      "import { one as a1, two as a2 } from './a';\nimport { one as b1, two as b2 } from './b';\nimport { one as c1, two as c2 } from './c';\nvoid [a1, a2, b1, b2, c1, c2];",
  };
  const names = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'];
  for (const order of [names, [...names].reverse()])
    expect(
      await withResolver(files, (entityAt) => order.map((name) => entityAt('user.ts', name)?.kind)),
    ).toEqual(names.map(() => 'pool'));
});
