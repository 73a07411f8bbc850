import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drivers } from '../../../rules/model/drivers.ts';
import { libraries } from '../../../rules/model/libraries.ts';
import { newestMajors, olderKnownMajor, packageOf } from '../../../rules/model/versions.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string } | undefined>>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;

const run = Object.keys(newestMajors).flatMap((name) => {
  const installed =
    packages[`test/libraries/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  return installed?.version === undefined ? [] : [[name, installed.version] as const];
});

test('at least the libraries that tests run are compared', () => {
  expect(run.length).toBeGreaterThanOrEqual(15);
});

test.each(run)('%s is known as it is run: %s', (name, version) => {
  expect(olderKnownMajor(name, version)).toBeUndefined();
});

test('a newer major version is read as the newest known one', () => {
  expect(olderKnownMajor('pg', '9.0.0-beta.1')).toBe(8);
  expect(olderKnownMajor('pg', '8.99.0')).toBeUndefined();
  expect(olderKnownMajor('pg', 'next')).toBeUndefined();
  expect(olderKnownMajor('left-pad', '99.0.0')).toBeUndefined();
});

test('each package of the table is one of a row', () => {
  const ofRows = new Set([...drivers, ...libraries].map(({ module }) => packageOf(module)));
  expect(Object.keys(newestMajors).filter((name) => !ofRows.has(name))).toEqual([]);
});
