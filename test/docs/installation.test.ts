import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillInstallation } from '../../scripts/docs/installation.ts';
import { readSources } from '../../scripts/docs/sources.ts';
import { isPublished } from '../../src/publication.ts';
import { root } from '../support/documents.ts';

const { pages } = readSources(root);
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
/** What is the same before and after the first release: how a checkout is installed. */
const upTo = (text: string) => text.split('\n## From a checkout\n')[0] ?? '';
const bareName =
  /npm install --save-dev [^\n`]*(?<![\w/-])(?:poolguard|eslint-plugin-poolguard|poolguard-monitor)(?![\w.-])/u;
const ofCheckouts = /\.\.\/poolguard\/artifacts|from-a-checkout|published yet/u;

describe.each(pages)('%s', (path) => {
  const text = textOf(path);
  const published = fillInstallation(path, text, true);
  const unpublished = fillInstallation(path, text, false);

  test('is one of the two states, and each leads to the other', () => {
    expect(text).toBe(isPublished ? published : unpublished);
    expect(fillInstallation(path, unpublished, true)).toBe(published);
    expect(fillInstallation(path, published, false)).toBe(unpublished);
  });

  test('names no package before its release, and no checkout after it', () => {
    expect(upTo(unpublished)).not.toMatch(bareName);
    expect(upTo(published)).not.toMatch(ofCheckouts);
  });

  test('says before the release that nothing is published, if it shows what takes that', () => {
    const isShown = /npx poolguard|npm install --save-dev [^\n`]*poolguard/u.test(unpublished);
    expect(unpublished.match(/not published yet/gu) ?? []).toHaveLength(isShown ? 1 : 0);
    const links = [...unpublished.matchAll(/\]\((?!https:)([^)#]*)#from-a-checkout\)/gu)];
    for (const [, link = ''] of links)
      expect(existsSync(resolve(root, dirname(path), link)), link).toBe(true);
  });
});

describe.each([true, false])('the README, published: %s', (published) => {
  const text = fillInstallation('README.md', textOf('README.md'), published);
  const screen = text.slice(0, text.indexOf('\n## '));

  test('says in its first screen how Poolguard is installed', () => {
    expect(screen).toContain(
      published
        ? 'npm install --save-dev poolguard eslint-plugin-poolguard\n'
        : 'npm run package\nnpm install --save-dev ../poolguard/artifacts/poolguard.tgz ../poolguard/artifacts/eslint-plugin-poolguard.tgz\n',
    );
    expect(screen).toMatch(published ? /Marketplace/u : /code --install-extension artifacts\//u);
  });

  test('fits a screen, and the page three more', () => {
    expect(screen.split('\n').length).toBeLessThan(35);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});
