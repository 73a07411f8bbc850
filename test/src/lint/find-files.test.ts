import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readIgnoreRules } from '../../../src/lint/ignore-rules.ts';
import { findFiles, leavingOut } from '../../../src/lint/find-files.ts';
import { createWork } from '../../../src/globs/work.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const onPosix = process.platform !== 'win32';

async function found(folder: string, ...paths: readonly string[]): Promise<readonly string[]> {
  const { files, complaints } = await findFiles(paths, folder);
  return [...complaints, ...files.map((file) => relative(folder, file))];
}

const names = [
  'a.js',
  'ab.js',
  'b.js',
  'a/b.js',
  'a/c/a.js',
  'b/a/a.js',
  'c/d/e/b.js',
  'a b.js',
  '#a.js',
  '!a.js',
  '[a].js',
  'a*.js',
  'a\\b.js',
];
const linePart = fc.constantFrom(
  ...['a', 'b', 'c', 'e', '.js', '*', '**', '?', '/', '/', '[ab]', '[!a]', '[]-a]', '[[:alpha:]]'],
  ...['[a', '\\', '\\*', ' ', '!', '#', '\\#', '\\!', '[', ']', '{a,b}'],
);
const line = fc.tuple(fc.constantFrom('', '', '', '!', '/'), fc.array(linePart, { maxLength: 5 }));
const ignoreFile = fc
  .array(line, { maxLength: 6 })
  .map((lines) => lines.map(([start, parts]) => start + parts.join('')).join('\n'));

/** Samples of ignore files, each in a folder of its own with the same files, and a second one below. */
const samples = fc.sample(fc.tuple(ignoreFile, ignoreFile), { numRuns: 400, seed: 7 });

test.runIf(onPosix)('git ignores the same', async () => {
  await using folder = await createTemporaryFolder();
  for (const [index, [outer, inner]] of samples.entries())
    await folder.write({
      [`s${index}/.gitignore`]: outer,
      [`s${index}/a/.gitignore`]: inner,
      ...Object.fromEntries(names.map((name) => [`s${index}/${name}`, ''])),
    });
  execFileSync('git', ['init', '--quiet'], { cwd: folder.path });
  const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z', '*.js'], {
    cwd: folder.path,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const git = new Set(listed.split('\0').filter(Boolean));
  const ours = new Set(await found(folder.path, '.'));
  const differing = [...new Set([...git, ...ours])]
    .filter((path) => git.has(path) !== ours.has(path))
    .map((path) => ({ path, isIgnored: !git.has(path), by: samples[Number(/\d+/u.exec(path))] }));
  expect(differing).toEqual([]);
  expect(git.size).toBeLessThan(0.95 * samples.length * names.length);
});

describe('files are found', () => {
  test.runIf(onPosix)('whose names have a backslash', async () => {
    await using folder = await createTemporaryFolder({ 'a\\b.js': '', 'c\\/d.js': '' });
    expect(await found(folder.path, '.')).toEqual(['a\\b.js', 'c\\/d.js']);
    expect(await found(folder.path, '*/*.js')).toEqual(['c\\/d.js']);
    expect(leavingOut(['c\\\\'], folder.path)(join(folder.path, 'c\\', 'd.js'))).toBe(true);
  });

  test('by patterns: from the folder, above it and absolute, in visible folders that are not generated', async () => {
    await using folder = await createTemporaryFolder({
      'a/x.js': '',
      'a/y.ts': '',
      'a/b/x.js': '',
      'a/.hidden/x.js': '',
      '.config/x.js': '',
      'dist/x.js': '',
      'a/dist/x.js': '',
      'c (d)/x.js': '',
    });
    const [path, inner] = [folder.path, join(folder.path, 'a')];
    expect(await found(path, '*/x.js')).toEqual(['a/x.js', 'c (d)/x.js']);
    expect(await found(path, './{a,dist}/**/*.js')).toEqual(['a/b/x.js', 'a/x.js']);
    expect(await found(path, '.*/x.js')).toEqual(['.config/x.js']);
    expect(await found(path, 'a/**/@(x|y).!(js)')).toEqual(['a/y.ts']);
    expect(await found(inner, '../c*/*.js')).toEqual(['../c (d)/x.js']);
    expect(await found(path, `${path}/a/*.js`)).toEqual(['a/x.js']);
    expect(await found(path, 'dist/*.js')).toEqual(['No file matches dist/*.js.']);
    expect(await found(path, 'nowhere/*.js')).toEqual(['No file matches nowhere/*.js.']);
  });

  test('also in a folder that git ignores above, where nothing is found', async () => {
    await using folder = await createTemporaryFolder({
      '.git/HEAD': '',
      '.gitignore': 'generated/\n/a/b/*.gen.js',
      'generated/x.js': '',
      'a/b/x.gen.js': '',
      'a/b/y.js': '',
    });
    expect(await found(folder.path, 'generated')).toEqual([]);
    expect(await found(join(folder.path, 'a/b'), '.')).toEqual(['y.js']);
  });

  test.runIf(onPosix)('whatever a link named .gitignore leads to', async () => {
    await using folder = await createTemporaryFolder({ 'a/x.js': '', rules: '*.js' });
    await symlink('../rules', join(folder.path, 'a/.gitignore'));
    expect(await found(folder.path, 'a')).toEqual(['a/x.js']);
  });

  test('in a folder inside of thousands', async () => {
    await using folder = await createTemporaryFolder();
    const deep = Array.from({ length: 500 }, () => 'd').join('/');
    await mkdir(join(folder.path, deep), { recursive: true });
    await folder.write({ [`${deep}/x.js`]: '' });
    expect(await found(folder.path, '.')).toEqual([`${deep}/x.js`]);
  });
});

test('a pattern that is too long to match is a sentence', async () => {
  await using folder = await createTemporaryFolder({ 'a.js': '' });
  const long = '*'.repeat(1_001);
  const sentence = 'A pattern has more than 1000 characters.';
  expect(await found(folder.path, long)).toEqual([sentence]);
  expect(await found(folder.path, '.', `!${long}`)).toEqual([sentence]);
});

describe('patterns that take long for who goes all ways one by one', () => {
  const name = 'a'.repeat(200);

  test.each([
    ['stars', `${'*a'.repeat(80)}b\n`.repeat(600)],
    ['stars before a class', `${'*a'.repeat(80)}[b]\n`.repeat(600)],
    ['as many lines as go into 100 kB', '*[b]\n'.repeat(20_000)],
    ['lines without wildcards', 'b\n/b\nb/\n'.repeat(12_500)],
    ['folders', `${'**/'.repeat(300)}[b]\n`.repeat(110)],
  ])('are no harm in a .gitignore: %s', (_what, text) => {
    const work = createWork();
    const ignores = readIgnoreRules(text, work);
    const before = process.cpuUsage();
    for (let n = 0; n < 100; n++) {
      work.grant();
      expect(ignores(`${name}/${name}${n}`, false)).toBe(undefined);
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });

  test('are no harm among those to leave out', () => {
    const nested = `${'+('.repeat(200)}a${')'.repeat(200)}[b]`;
    const isLeftOut = leavingOut([nested, `!(${nested})[c]`, `${'*a'.repeat(400)}[b]`], '/shop');
    const before = process.cpuUsage();
    for (let n = 0; n < 100; n++) expect(isLeftOut(`/shop/${name}/${name}${n}`)).toBe(false);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});
