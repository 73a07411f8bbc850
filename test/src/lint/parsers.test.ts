import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { globbySync } from 'globby';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../../rules/syntax/place.ts';
import { createLinter } from '../../../src/lint/linter.ts';
import { createOxc } from '../../../src/lint/oxc-parser.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { createProgram, createParsers } from '../../../src/lint/program.ts';
import { writtenSources } from '../../laws/sources.ts';

const root = join(import.meta.dirname, '../../..');
const typescript = createParsers().at(-1) ?? expect.fail('no parser');

const oxc = createOxc();

type Fields = Readonly<Record<string, unknown>>;

/** What one tree says in another way than the other, as `Type.field`. The texts of JSX keep entities, and offsets stand twice in oxc's. */
function differences(one: unknown, other: unknown, around: unknown, at: string): string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((each, index) => differences(each, other[index], around, at));
  if (isObject(one) && isObject(other) && !(one instanceof RegExp))
    return differencesOfFields(one, other, around, at);
  return isDeepStrictEqual(one, other) ? [] : [at];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function differencesOfFields(one: Fields, other: Fields, around: unknown, at: string): string[] {
  const type = typeof one['type'] === 'string' ? one['type'] : undefined;
  const found = type === undefined ? [] : misplaced(one, other, around);
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
    if (!foundOtherwise.has(key) && !(type === 'JSXText' && key === 'value'))
      found.push(...differences(one[key], other[key], one, `${type ?? at}.${key}`));
  return found;
}

const foundOtherwise: ReadonlySet<string> = new Set(['parent', 'start', 'end', 'loc']);

/** Of a node its place and what is around it, which are found in another way. */
function misplaced(one: Fields, other: Fields, around: unknown): string[] {
  const [found, expected] = [one['loc'], other['loc']] as Place[];
  const isPlaced = (['start', 'end'] as const).every(
    (end) =>
      found?.[end].line === expected?.[end].line && found?.[end].column === expected?.[end].column,
  );
  const isComment = one['type'] === 'Line' || one['type'] === 'Block';
  const isLinked = isComment || one['parent'] === around;
  return isPlaced && isLinked ? [] : [`${String(one['type'])} ${isPlaced ? 'parent' : 'loc'}`];
}

function compare(text: string, path: string): readonly string[] {
  const own = oxc(text, path);
  if (own === undefined) return ['refused'];
  const reference = typescript(text, path);
  const names = (parsed: typeof own) =>
    parsed.scopeManager.scopes.map(({ type, variables, references }) => [
      type,
      variables.map(({ name, defs, identifiers }) => [
        name,
        defs.map((each) => each.type),
        identifiers.map(({ range }) => range),
      ]),
      references.map(({ identifier, resolved }) => [identifier.range, resolved?.name]),
    ]);
  if (reference === undefined) return ['refused by typescript'];
  expect(JSON.stringify(names(own))).toBe(JSON.stringify(names(reference)));
  return differences(own.ast, reference.ast, undefined, 'Program');
}

describe('oxc and typescript-estree', () => {
  it('make the same tree of the sources of the rules, with the same scopes, parents and places', () => {
    const files = globbySync(['rules/**/*.ts', '!**/dist/**'], {
      cwd: root,
      absolute: true,
    });
    expect(files.length).toBeGreaterThan(300);
    for (const path of files)
      expect(compare(readFileSync(path, 'utf8'), path), relative(root, path)).toEqual([]);
  });

  it('make the same tree of the texts of rules’ pages, fixtures and examples', () => {
    const sources = writtenSources(undefined);
    expect(sources.length).toBeGreaterThan(100);
    for (const { path, text, name } of sources) expect(compare(text, path), name).toEqual([]);
  });

  it.each([
    ['an empty file', 'a.ts', ''],
    ['comments alone', 'a.ts', '// one\r\n/* two\u2028 */'],
    ['a hashbang', 'a.js', '#!/usr/bin/env node\nf()'],
    ['a directive', 'a.js', '"use strict"; function f() { "use asm" }'],
    ['CRLF in templates', 'a.ts', 'const a = `x\r\n${1}\r\n${2}`;\r\ntag`\r\n`'],
    ['line separators', 'a.ts', 'f("\u2028");\u2029g()'],
    ['astral characters', 'a.ts', 'const 𝒜 = "😀"; /* 👩‍👩‍👧 */ f(𝒜, `😀`)'],
    ['lone surrogates', 'a.ts', 'f("\\ud800")'],
    ['numbers and expressions', 'a.ts', 'f(10n, 1_000, 0xff, /re[/]/mgi, /(?<a>b)/u)'],
    ['a comparison that looks like a type in .js', 'a.js', 'f(a<b, c>(d))'],
    ['an assertion', 'a.ts', 'const a = <any>b; const c = <T>(d: T) => d;'],
    [
      'JSX',
      'a.tsx',
      'const a = <A.B c="d" {...e} f={<></>}>&nbsp;g {h}<!-- -->{/* i */}</A.B>;'.replace(
        '<!-- -->',
        '',
      ),
    ],
    ['ampersands in attributes', 'a.tsx', 'const a = <p className="[&>svg]:p-0 b&c" d="&;" />;'],
    ['a return at the top of a script', 'a.js', 'if (a) return;\nf();'],
    [
      'import.meta, using and top-level await',
      'a.mts',
      'using a = b; await using c = d; await import.meta.e;',
    ],
    [
      'import attributes',
      'a.ts',
      'import a from "b.json" with { type: "json" }; export * as c from "d";',
    ],
    [
      'modules of TypeScript',
      'a.ts',
      'import a = require("b"); declare module "c" { export const d: number } namespace E.F { } export = a;',
    ],
    [
      'decorators',
      'a.ts',
      '@a @b() export class C { @d e; @f() g(@h i: I, @j /* k */ l?: L, @m n = 1, @o ...p) {} constructor(@q private r?: R, @s readonly t = 1) {} }',
    ],
    [
      'members of classes',
      'a.ts',
      'abstract class A<T> extends B<T> implements C<T> { declare a: T; static {} accessor b = 1; abstract c(): void; [k: string]: any; get d() { return 1 } private e!: string; override f?() {} #g = 1; abstract accessor h: number }',
    ],
    [
      'types',
      'a.ts',
      'type A<T extends B = C> = { readonly [K in keyof T]-?: T[K] } | (new () => void) | typeof import("x") | `a${B}`; function f(x): asserts x is A; let t: [a?: b, ...c: d[]]; type I = T extends infer U extends string ? U : never; let u: unique symbol',
    ],
    ['optional chains', 'a.ts', 'a?.b!.c?.(); (a?.b).c; a ??= b; new.target'],
  ])('make the same tree of %s', (_, path, text) => {
    const found = compare(text, path);
    expect(found).toEqual(path === 'a.ts' && text.includes('new.target') ? ['refused'] : []);
  });
});

describe('what oxc refuses', () => {
  const cwd = join(import.meta.dirname, 'workspace');
  const leak =
    '\nimport { Pool } from "pg"; const pool = new Pool();\nconst client = await pool.connect();\n';
  const lintWith = (parsers: ReturnType<typeof createParsers>) =>
    createLinter(poolguard, {}, createProgram(undefined, parsers));

  it.each([
    ['types of Flow', 'a.js', '// @flow\nfunction f(a: ?string): number { }'],
    ['types in .js', 'a.js', 'const a: number = <any>1;'],
    ['JSX in .ts', 'a.ts', 'const a = <p>b</p>;'],
    ['an assertion in .tsx', 'a.tsx', 'const a = <any>1;'],
    ['entities in attributes', 'a.tsx', 'const a = <p b="&amp;&nbsp;">&amp;</p>;'],
    ['a required parameter behind an optional one', 'a.ts', 'function f(a?: b, c: d) {}'],
    ['a constant without a value', 'a.ts', 'const a;'],
    ['await in a plain function', 'a.ts', 'function f() { await g(); }'],
    ['an octal number', 'a.js', 'f(017);'],
    ['an octal character', 'a.js', 'f("\\\\\\01");'],
    ['with', 'a.js', 'with (a) b();'],
    ['a comment of HTML', 'a.js', '<!-- a'],
    ['a class without a name', 'a.ts', 'export class { }'],
    ['a missing brace', 'a.ts', 'function f() { if (a) {'],
    ['a member that is being typed', 'a.ts', 'a.'],
    ['an open string', 'a.ts', 'f("a'],
    ['an open template', 'a.ts', 'f(`a${'],
    ['two declarations', 'a.ts', 'let a; let a;'],
    ['hundreds of branches', 'a.js', `if (a) {} ${'else if (a) {}'.repeat(300)}`],
    ['hundreds of brackets', 'a.js', `f(${'['.repeat(300)}${']'.repeat(300)})`],
  ])('is judged by typescript-estree: %s', (_, name, text) => {
    for (const code of [`${text}\n${leak}`, `\uFEFF${leak}${text}`]) {
      const source = { path: join(cwd, name), text: code };
      const { problems } = lintWith([oxc, typescript])(source);
      const reference = lintWith([typescript])(source);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems).toEqual(reference.problems);
    }
  });
});

describe('code that nests without end', () => {
  const lint = createLinter(poolguard, {});
  const path = join(import.meta.dirname, 'deep.ts');

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['brackets that are closed', `f(${'['.repeat(100_000)}${']'.repeat(100_000)})`],
    ['brackets that nothing closes but a text', `f${'("a)"'.repeat(100_000)}`],
    ['brackets that nothing closes but a comment', `f${'(/*)*/'.repeat(100_000)}`],
    ['loops', `${'for(;;)'.repeat(100_000)};`],
    ['awaits', `${'await '.repeat(100_000)}a`],
    ['negations', `${'!'.repeat(100_000)}a`],
    ['branches', `${'if (a) {} else '.repeat(100_000)};`],
    ['templates', 'f(`${'.repeat(100_000)],
    ['types', `type A = ${'B<'.repeat(100_000)}`],
  ])('gets a sentence: %s', (_, text) => {
    expect(oxc(text, path)).toBeUndefined();
    expect(lint({ path, text }).problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/nested too deeply/u),
    ]);
    expect(compare('f(a);', path)).toEqual([]);
  });

  it('is refused as often as it comes', () => {
    for (let time = 0; time < 100; time++) expect(oxc('['.repeat(100_000), path)).toBeUndefined();
    expect(compare('f(a);', path)).toEqual([]);
  });
});
