import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as whole from '@typescript-eslint/parser';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { typescriptParts } from '../../scripts/typescript-parts.mjs';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
type Parser = Pick<typeof whole, 'parseForESLint'>;

let inParts: Parser;
beforeAll(async () => {
  await using folder = await createTemporaryFolder();
  const outfile = join(folder.path, 'parser.cjs');
  await build({
    absWorkingDir: root,
    stdin: { contents: "module.exports = require('@typescript-eslint/parser');", resolveDir: root },
    bundle: true,
    platform: 'node',
    outfile,
    logLevel: 'error',
    plugins: [
      {
        name: 'parts',
        setup: (bundle) => {
          bundle.onLoad({ filter: /[\\/]typescript[\\/]lib[\\/]typescript\.js$/ }, () => ({
            contents: typescriptParts(root),
          }));
        },
      },
    ],
  });
  inParts = createRequire(import.meta.url)(outfile) as Parser;
});

/** All that the parser says of a text, as one text. */
function read({ parseForESLint }: Parser, text: string, jsx: boolean): string {
  try {
    const options = { range: true, loc: true, comment: true, tokens: true, ecmaFeatures: { jsx } };
    const { ast, scopeManager } = parseForESLint(text, options);
    return JSON.stringify(
      [
        ast,
        scopeManager.scopes.map(({ type, variables }) => [type, variables.map(({ name }) => name)]),
      ],
      (key, value: unknown) =>
        key === 'parent' ? undefined : typeof value === 'bigint' ? String(value) : value,
    );
  } catch (failure) {
    return String(failure);
  }
}

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'));
}

test('the parts of TypeScript that a bundle keeps make the same trees, tokens and errors as the whole', () => {
  const texts = ['rules/flow', 'rules/typestate', 'examples'].flatMap(sources);
  expect(texts.length).toBeGreaterThan(50);
  for (const text of texts)
    for (const each of [text, text.slice(0, text.length / 2), text.slice(text.length / 3)])
      expect(read(inParts, each, false) === read(whole, each, false), each).toBe(true);
});

test.each([
  '/** @param {string} a @returns {A.B<c>} */ function f(a) { return <b.c d={`${1}`} {...e}>f&amp;</b.c>; }',
  'enum A { B = 1n, "C" } declare module "d" { export = A } namespace E.F { export import G = H.I }',
  'abstract class A<in out T extends keyof B> { declare #c?: unique symbol; @d() accessor e!: (typeof f)[number]; static { } constructor(private g: asserts) { super() } }',
  'type A<T> = T extends infer U extends string ? `${U}-x` : { readonly [K in keyof T as never]-?: T[K] }; let b = c satisfies d as const; for await (using e of f) ;',
  'const a = /(?<b>x)[a--b]/vu, c = /(/, d = 0b12, e = "\\u{110000}", f = ;',
  '#!/bin/sh\n// @ts-nocheck\n<!-- html\nimport type a, { type b as c } from "d" with { type: "json" }; export * as e from "f"; @g export default class {}',
  'async function* a() { yield* await b?.c!.d?.[e]`f`; label: while (1) { break label } }\u2028\\u0061wait',
])('%s is the same in parts', (text) => {
  for (const jsx of [false, true]) expect(read(inParts, text, jsx)).toBe(read(whole, text, jsx));
});
