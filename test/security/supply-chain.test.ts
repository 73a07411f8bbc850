import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { forEditors, forNpm, type Manifest } from '../../scripts/published/manifests.ts';

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly bundled?: boolean;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const { packages } = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const { allowScripts } = readJson('package.json') as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const installed = Object.entries(packages).filter(
  ([path, { link }]) => /(?:^|\/)node_modules\//.test(path) && link !== true,
);

test('every package is locked to its content, and only those that are named run scripts at their installation', () => {
  expect(installed.length).toBeGreaterThan(100);
  expect(
    installed
      .filter(([, { integrity, bundled }]) => bundled !== true && !/^sha512-/.test(integrity ?? ''))
      .map(([path]) => path),
  ).toEqual([]);
  const withScripts = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(withScripts.length).toBeGreaterThan(0);
  expect(withScripts.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
});

test('no package comes from anywhere but the registry that npm is told of', () => {
  expect(
    Object.values(packages).flatMap(({ resolved, link }) =>
      resolved === undefined || link === true ? [] : [resolved],
    ),
  ).toEqual([]);
});

test('what is published brings no other package along', () => {
  const root = readJson('package.json') as Manifest;
  const published = [
    forNpm(root),
    forEditors(root),
    ...['rules/package.json', 'monitor/package.json'].map((path) => readJson(path) as Manifest),
  ];
  for (const { dependencies = {}, scripts = {} } of published) {
    expect(dependencies).toEqual({});
    expect(
      Object.keys(scripts as object).filter((name) =>
        /^(?:pre|post)?install$|^prepare$/.test(name),
      ),
    ).toEqual([]);
  }
});
