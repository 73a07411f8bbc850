import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/globs/glob-tokens.ts';
import { createGlob, longestGlob } from '../../../src/globs/glob.ts';
import { createWork } from '../../../src/globs/work.ts';

function globOf(pattern: string, matchesDots = true, dialect: Dialect = 'shell') {
  return createGlob(pattern, { dialect, matchesDots, work: createWork() });
}

const ordinary = [
  '*.js',
  '**/*.js',
  'a/**',
  '**',
  'src/**/b',
  './*.js',
  '{a,b}/*.ts',
  '!(a|b).ts',
  '*(ab|c)d',
  '+(a)',
  '@(x|y)z',
  'a?c',
  '[a-c]x',
  '[^a]x',
  '{a,{b,c}}',
  '{1..3}x',
  '**/node_modules/**',
  '*',
  'a/*/c',
  '.*',
  '**/.*',
  'a**b',
  '(a|b)c',
  'a/**/*',
  'src/{a/,}*.ts',
  '\\*x',
  '?(a)b',
  '*.!(js)',
  '!(*.test).ts',
  'app/[id]/page.ts',
];

const paths = fc
  .array(fc.constantFrom('a', 'b', 'c', '.', '/', 'x', '1', '-'), { minLength: 1, maxLength: 9 })
  .map((letters) => letters.join('').split('/').filter(Boolean).join('/'))
  .filter((path) => path !== '' && !/(?:^|\/)\.+(?:\/|$)/u.test(path));
const parts = ['a', 'b', 'x.', '1', '*', '?', '[ab]', '[^a]', '[a-c]', '{a,b}', 'a?(a)', 'b*(ab)'];
const name = fc.array(fc.constantFrom(...parts, '@(a|bx)', 'c+(b|c)'), {
  minLength: 1,
  maxLength: 3,
});
const patterns = fc
  .array(fc.oneof(fc.constant('**'), ...[1, 2, 3].map(() => name.map((all) => all.join('')))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.join('/'))
  // Regular expressions take a question mark after a group for its number.
  .filter((pattern) => !/\)\?|[^\/]\*\*|\*\*[^\/]/u.test(pattern));

/** For picomatch `a/**` is `a` as well; for shells and git it is what lies in it. */
function asPicomatch(pattern: string): string {
  return pattern.replace(/\/\*\*$/u, '/**/*');
}

describe('what picomatch takes a pattern for', () => {
  test.each(ordinary)('is what it is here: %s', (pattern) => {
    fc.assert(
      fc.property(paths, fc.boolean(), (path, dot) => {
        expect(globOf(pattern, dot).matches(path)).toBe(
          picomatch.isMatch(path, asPicomatch(pattern), { dot }),
        );
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test('is what it is here, whatever it is made of', () => {
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(globOf(pattern).matches(path)).toBe(
          picomatch.isMatch(path, asPicomatch(pattern), { dot: true }),
        );
      }),
      { seed: 1, numRuns: 5_000 },
    );
  });
});

test('a folder may hold what matches, where a path in it does', () => {
  fc.assert(
    fc.property(patterns, paths, (pattern, path) => {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      const glob = globOf(pattern);
      if (folder !== '' && glob.matches(path)) expect(glob.mayMatchIn(folder)).toBe(true);
    }),
    { seed: 1, numRuns: 2_000 },
  );
  expect(globOf('src/*/x.js').mayMatchIn('src/a')).toBe(true);
  expect(globOf('src/*/x.js').mayMatchIn('src/a/b')).toBe(false);
  expect(globOf('src/**/x.js', false).mayMatchIn('src/.cache')).toBe(false);
});

test('a glob around a path matches the path, or a folder that it lies in', () => {
  fc.assert(
    fc.property(patterns, paths, (pattern, path) => {
      const glob = globOf(pattern);
      const around = [...path.matchAll(/\/|$/gu)].map(({ index }) => path.slice(0, index));
      expect(glob.matchesAround(path)).toBe(around.some((each) => glob.matches(each)));
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test.each(['app/[id]/(group)', '(a|b)c', '[x]', 'a{1}'])(
  'a name that looks like a pattern is that name as well: %s',
  (name) => {
    expect(globOf(name).matches(name)).toBe(true);
    expect(globOf(name).matchesAround(`${name}/page.ts`)).toBe(true);
  },
);

describe('letters that begin nothing stand for themselves', () => {
  test.each([
    ['{a', '{a'],
    ['a}', 'a}'],
    ['!(a', '!(a'],
    ['a)', 'a)'],
    ['(auth)/*', '(auth)/x'],
    ['{a}*', '{a}b'],
    ['[a*', '[ab'],
    ['a|b*', 'a|bc'],
    ['\\!(a)*', '!(a)b'],
    ['{a,(b,c}', '(b,c'],
  ])('%s is %s', (pattern, path) => {
    expect(globOf(pattern).matches(path)).toBe(true);
  });
});

test.each([
  ['!(a)*', 'a', true],
  ['!(a)', '', true],
  ['!(!(a))', 'a', true],
  ['!(!(a))', 'b', false],
  ['!(a|b)/c', 'x/c', true],
  ['!(a|b)/c', 'a/c', false],
  ['!(a)', '.x', false],
  ['x!(a)', 'x/b', false],
  ['!(*.test|*.spec).ts', 'a.spec.ts', false],
])('as in a shell, %s is %s: %s', (pattern, path, isMatch) => {
  expect(globOf(pattern, false).matches(path)).toBe(isMatch);
});

describe('nothing matches', () => {
  test('what is longer than a pattern may be', () => {
    expect(globOf(`${'a'.repeat(longestGlob)}*`).matches('a'.repeat(longestGlob))).toBe(false);
    expect(globOf('*'.repeat(longestGlob)).matches('a')).toBe(true);
  });

  test('when the work is used up', () => {
    const work = { ...createWork(), left: 3 };
    const glob = createGlob('[a]*[b]', { dialect: 'shell', matchesDots: true, work });
    expect(glob.matches('ab')).toBe(false);
    work.left = 1_000;
    expect(glob.matches('ab')).toBe(true);
  });
});

type Grow = (pattern: string) => string;

const grown: readonly Grow[] = [
  ...['a', '*', '?', '*a', '[ab]', '**/', '/', '{a,aa}'].map((part) => (all: string) => all + part),
  ...['@', '?', '*', '+', '!'].map((often) => (all: string) => `${often}(${all}|*a)`),
  ...['*', '+', '!'].map((often) => (all: string) => `*a${often}(${all})`),
  (all) => `{${all},${all}a}`,
];
/** Patterns that multiply the ways through a name for who goes them one by one. */
const hard = fc
  .array(fc.constantFrom(...grown), { maxLength: 60 })
  .map((all) =>
    all.reduce((pattern, grow) => (pattern.length > 400 ? pattern : grow(pattern)), 'a'),
  );

/** What matching takes, in steps. */
function stepsOf(pattern: string, path: string, dialect: Dialect = 'shell'): number {
  const work = { ...createWork(), left: Number.MAX_SAFE_INTEGER };
  createGlob(pattern, { dialect, matchesDots: true, work }).matches(path);
  return Number.MAX_SAFE_INTEGER - work.left;
}

describe('the steps are bounded', () => {
  test.each(['shell', 'git'] as const)(
    'by the lengths of pattern and path, whatever a %s has',
    (dialect) => {
      fc.assert(
        fc.property(hard, fc.nat(100), (pattern, length) => {
          const path = 'a'.repeat(length);
          const exceptions = dialect === 'git' ? 0 : pattern.split('!(').length - 1;
          const most = 4 * (pattern.length + 1) * (length + 1) * (exceptions > 0 ? length + 1 : 1);
          expect(stepsOf(pattern, path, dialect)).toBeLessThanOrEqual(most);
        }),
        { seed: 1, numRuns: 300 },
      );
    },
  );

  test.each([
    ['stars', (size: number) => `${'*a'.repeat(size)}[b]`],
    ['stars of stars', (size: number) => `${'*('.repeat(size)}a${')'.repeat(size)}[b]`],
    ['some of some', (size: number) => `${'+('.repeat(size)}a${')'.repeat(size)}[b]`],
    ['choices that overlap', (size: number) => `${'@(a|aa|?|*)'.repeat(size)}[b]`],
    ['braces in braces', (size: number) => `${'{a,'.repeat(size)}${'}'.repeat(size)}[b]`],
    ['folders', (size: number) => `${'**/'.repeat(size)}[b]`],
    ['exceptions', (size: number) => `${'!(a)'.repeat(size)}[b]`],
    ['exceptions of exceptions', (size: number) => `${'!('.repeat(size)}*a${')'.repeat(size)}[b]`],
  ])('%s: twice as many take at most three times as many steps', (_what, pattern) => {
    for (const path of ['a'.repeat(60), 'a/'.repeat(60)])
      expect(stepsOf(pattern(40), path)).toBeLessThanOrEqual(3 * stepsOf(pattern(20), path));
  });
});
