import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

const rooms = ['src', 'rules', 'monitor', 'scripts', 'test'];
const notOurs = new Set(['node_modules', 'dist']);
const entries = rooms.flatMap((room) => below(`${room}/`));
const folders = entries.filter(({ isFolder }) => isFolder).map(({ path }) => path);
const files = entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path);

/** Folders with a slash at the end, files without. */
function below(folder: string): { readonly path: string; readonly isFolder: boolean }[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name))
    .flatMap((entry) => {
      const path = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`;
      return [{ path, isFolder: entry.isDirectory() }, ...(entry.isDirectory() ? below(path) : [])];
    });
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/gu)].map(([, word = '']) => word);
}

/** The folders that a row of the map speaks of: in the row's room, at the root, or beside one that the row has named before. */
function placesIn(cell: string, room: string): string[] {
  const places: string[] = [];
  for (const word of quoted(cell).filter((each) => each.endsWith('/'))) {
    const beside = places.map((place) => `${posix.dirname(place)}/`);
    places.push(
      [room, '', ...beside]
        .map((folder) => `${folder}${word}`)
        .find((path) => existsSync(join(root, path))) ?? `${room}${word} (not there)`,
    );
  }
  return places;
}

interface Row {
  readonly named: readonly string[];
  readonly does: readonly string[];
}

function readMap(): Row[] {
  const [, map = ''] = architecture.split('## Code map');
  let room = '';
  return (map.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [, name = '', does = ''] = line.split('|');
      const named = placesIn(name, name.includes('…') ? room : '');
      if (!name.includes('…')) room = named[0] ?? room;
      return { named, does: placesIn(does, named[0] ?? room) };
    });
}

describe('the map', () => {
  const map = readMap();

  test('names no folder that is not there', () => {
    expect(
      map
        .flatMap(({ named, does }) => [...named, ...does])
        .filter((path) => !existsSync(join(root, path))),
    ).toEqual([]);
  });

  test('names every folder of the product, two deep, and every room of scripts and tests', () => {
    const known = new Set(map.flatMap(({ named, does }) => [...named, ...does]));
    const depths: Readonly<Record<string, number>> = {
      src: 2,
      rules: 2,
      monitor: 1,
      scripts: 1,
      test: 1,
    };
    const wanted = folders.filter(
      (path) => path.split('/').length - 2 <= (depths[path.split('/')[0] ?? ''] ?? 0),
    );
    expect(wanted.filter((path) => !known.has(path))).toEqual([]);
  });
});

/** A file is named from the root, or by as much of the end of its path as tells it from all others. */
function filesCalled(name: string): readonly string[] {
  if (existsSync(join(root, name))) return [name];
  return files.filter((path) => path.endsWith(`/${name}`));
}

const isFile = (word: string) => /^[\w./<>-]+\.(?:ts|mts|mjs|js|css|tsv|md|json)$/u.test(word);
/** `<id>` stands for any rule. */
const aRule = 'no-unreleased-client';
/** What a build makes is a row of the build. */
const build = readFileSync(join(root, 'scripts/build.mjs'), 'utf8');

describe.each([
  ['ARCHITECTURE.md', architecture],
  ['CONTRIBUTING.md', contributing],
])('%s', (_, page) => {
  const words = [...new Set(quoted(page))];

  test('names files that are there, each in a way that means one', () => {
    const named = words.filter(isFile);
    expect(named.length).toBeGreaterThan(10);
    const unclear = named.filter((word) =>
      word.startsWith('dist/')
        ? !build.includes(`'${word}'`)
        : filesCalled(word.replaceAll('<id>', aRule)).length !== 1,
    );
    expect(unclear).toEqual([]);
  });

  test('names folders that are there', () => {
    expect(
      words
        .filter((word) => /^[\w./-]+\/$/u.test(word))
        .filter(
          (word) =>
            !existsSync(join(root, word)) && !folders.some((path) => path.endsWith(`/${word}`)),
        ),
    ).toEqual([]);
  });
});
