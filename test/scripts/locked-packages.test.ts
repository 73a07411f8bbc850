import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, test } from 'vitest';
import {
  areInstalled,
  createProgress,
  packagesFor,
  type LockFile,
  type LockedPackage,
} from '../../scripts/locked-packages.mjs';

const root = join(import.meta.dirname, '../..');
const linux = { platform: 'linux', arch: 'x64', libc: 'glibc', omitsDev: false } as const;

const lock: LockFile = {
  packages: {
    '': {},
    rules: { version: '0.1.0' },
    'node_modules/rules': { link: true },
    'node_modules/pg': {
      version: '8.0.0',
      integrity: 'sha512-pg',
      optionalDependencies: { fsevents: '2', 'of-arm': '1', 'of-musl': '1', 'of-glibc': '1' },
    },
    'node_modules/pg/node_modules/split2': { version: '4.0.0', integrity: 'sha512-split2' },
    'node_modules/vitest': { version: '4.0.0', integrity: 'sha512-vitest', dev: true },
    'node_modules/fsevents': { version: '2.0.0', optional: true, os: ['darwin'] },
    'node_modules/not-windows': { version: '1.0.0', os: ['!win32'] },
    'node_modules/of-arm': {
      version: '1.0.0',
      optional: true,
      cpu: ['arm64'],
      dependencies: { 'part-of-arm': '1' },
    },
    'node_modules/part-of-arm': { version: '1.0.0', optional: true },
    'node_modules/of-musl': { version: '1.0.0', optional: true, libc: ['musl'] },
    'node_modules/of-glibc': { version: '1.0.0', optional: true, libc: ['glibc'] },
  },
};

function placesFor(machine: Parameters<typeof packagesFor>[1]): readonly string[] {
  return packagesFor(lock, machine).map(({ place }) => place.replace('node_modules/', ''));
}

describe('what npm installs of a lock file', () => {
  test('is what fits the machine, without the folders of the repository', () => {
    expect(placesFor(linux)).toEqual([
      'pg',
      'pg/node_modules/split2',
      'vitest',
      'not-windows',
      'of-glibc',
    ]);
    expect(placesFor({ ...linux, platform: 'win32', arch: 'arm64', libc: undefined })).toEqual([
      'pg',
      'pg/node_modules/split2',
      'vitest',
      'of-arm',
      'part-of-arm',
    ]);
  });

  test('leaves out what only tests need, if that is omitted', () => {
    expect(placesFor({ ...linux, omitsDev: true })).not.toContain('vitest');
  });
});

describe('an installation', () => {
  const wanted = packagesFor(lock, linux);
  const installed = (changes: Readonly<Record<string, LockedPackage | undefined>>): LockFile =>
    JSON.parse(
      JSON.stringify({ packages: { ...lock.packages, '': undefined, ...changes } }),
    ) as LockFile;

  test('is complete with the packages of the lock file, whatever else is there', () => {
    expect(areInstalled(wanted, installed({ 'node_modules/other': { version: '1.0.0' } }))).toBe(
      true,
    );
  });

  test('is not, without one of them or with another one', () => {
    expect(areInstalled(wanted, installed({ 'node_modules/pg': undefined }))).toBe(false);
    expect(
      areInstalled(wanted, installed({ 'node_modules/pg': { version: '8.0.1', integrity: 'x' } })),
    ).toBe(false);
    expect(
      areInstalled(wanted, installed({ 'node_modules/pg': { version: '8.0.0', integrity: 'x' } })),
    ).toBe(false);
  });

  test('may lack what is optional', () => {
    expect(areInstalled(wanted, installed({ 'node_modules/of-glibc': undefined }))).toBe(true);
  });

  test('of the tour is none of the tests', () => {
    const withoutTests = installed({ 'node_modules/vitest': undefined });
    expect(areInstalled(wanted, withoutTests)).toBe(false);
    expect(areInstalled(packagesFor(lock, { ...linux, omitsDev: true }), withoutTests)).toBe(true);
  });
});

test('progress says how many are there, which came last, and at the end which are missing', () => {
  const wanted = packagesFor(lock, linux);
  const there = new Set<string>();
  const progress = createProgress(wanted, (place) => there.has(place));
  expect(progress()).toBe('0 of 5');
  there.add('node_modules/vitest');
  expect(progress()).toBe('1 of 5, last vitest');
  expect(progress()).toBe('1 of 5, last vitest');
  there.add('node_modules/pg').add('node_modules/not-windows');
  expect(progress()).toBe('3 of 5, still split2, of-glibc');
  for (const { place } of wanted) there.add(place);
  expect(progress()).toBe('all there, their install scripts run');
});

test('every package supports each Node that Poolguard supports: npm has nothing to warn of', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly engines?: { readonly node?: string }; readonly optional?: boolean }>
    >;
  };
  // The first of each line that the manifest names; of 24 the first with long-term support, which libraries name.
  const versions = ['20.19.0', '22.13.0', '24.11.0'];
  const refused = Object.entries(packages).flatMap(([place, { engines, optional }]) =>
    optional === true
      ? []
      : versions
          .filter((version) => !satisfies(version, engines?.node ?? '*'))
          .map((version) => `${place} needs Node ${engines?.node}, not ${version}`),
  );
  expect(refused).toEqual([]);
});
