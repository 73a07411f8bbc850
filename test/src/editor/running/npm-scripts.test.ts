import { expect, test } from 'vitest';
import { npmScripts, readManifest } from '../../../../src/editor/running/npm-scripts.ts';
import { expectToRead } from '../../../support/spoilt.ts';

const namesOf = (scripts: Readonly<Record<string, unknown>>): readonly string[] =>
  npmScripts(JSON.stringify({ scripts })).map(({ name }) => name);

test('what starts a service stands first, the rest as in the file', () => {
  expect(
    namesOf({
      build: 'tsc',
      start: 'node .',
      test: 'vitest',
      dev: 'tsx watch src',
      'dev:debug': 'tsx',
    }),
  ).toEqual(['dev', 'start', 'build', 'test', 'dev:debug']);
});

test('hooks run with their script and are not offered; names that only begin alike are', () => {
  expect(
    namesOf({
      predev: 'echo',
      dev: 'tsx',
      postdev: 'echo',
      preview: 'vite preview',
      postgres: 'docker compose up',
    }),
  ).toEqual(['dev', 'preview', 'postgres']);
});

test.each([
  'x; rm -rf ~',
  '$(id)',
  'a b',
  '`id`',
  '-flag',
  '',
  'a&b',
  'a|b',
  'a"b',
  "a'b",
  '%PATH%',
  'a\nb',
])('%j is never typed into a terminal', (name) => {
  expect(namesOf({ [name]: 'node .' })).toEqual([]);
});

test.each([
  '',
  '[]',
  'null',
  '{',
  '{"scripts": 3}',
  '{"scripts": {"dev": 3}}',
  '{"scripts": null}',
])('%j has no scripts', (text) => {
  expect(npmScripts(text)).toEqual([]);
});

test('whatever stands in a package.json, its scripts are texts', () => {
  expectToRead(
    [
      { scripts: { dev: 'tsx src', start: 'node .' }, packageManager: 'pnpm@9.1.0' },
      { scripts: {} },
    ],
    (value) => readManifest(JSON.stringify(value)),
  );
});
