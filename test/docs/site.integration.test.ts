import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, root } from '../support/documents.ts';
import { runNode, type Finished } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const base = '/poolguard/';
const origin = 'https://poolguard.example';
const pages = documents.filter((path) => path.startsWith('docs/'));
const pathOnSite = (page: string): string =>
  page.replace('docs/README.md', 'docs/index.md').replace(/^docs\/(.*)\.md$/u, '$1.html');

function build(folder: string, outDir: string): Promise<Finished> {
  return runNode(
    [join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', folder, '--outDir', outDir],
    root,
  );
}

let site: TemporaryFolder;
let built: Finished;
beforeAll(async () => {
  site = await createTemporaryFolder();
  built = await build('docs', site.path);
});
afterAll(() => site[Symbol.asyncDispose]());

const textOf = (path: string): string => readFileSync(join(site.path, path), 'utf8');

test('is built without a complaint', () => {
  expect([built.code, built.stderr]).toEqual([0, expect.not.stringMatching(/warn|error|\(!\)/iu)]);
});

describe.each(pages)('%s', (page) => {
  test('has its page, which the sidebar of the first page leads to', () => {
    expect(textOf(pathOnSite(page))).toContain('<h1 ');
    if (page !== 'docs/README.md')
      expect(textOf('index.html')).toContain(`href="${base}${pathOnSite(page)}"`);
  });

  test('has links to pages and headings that are there', () => {
    const links = [...textOf(pathOnSite(page)).matchAll(/<a [^>]*?href="([^"]+)"/gu)].map(
      ([, link = '']) => link,
    );
    expect(links.filter((link) => !leadsSomewhere(link, pathOnSite(page)))).toEqual([]);
  });
});

/** Within the site; an address is another's to keep. */
function leadsSomewhere(link: string, from: string): boolean {
  const address = new URL(link, `${origin}${base}${from}`);
  if (address.origin !== origin) return true;
  const file = address.pathname.replace(base, '').replace(/^$/u, 'index.html');
  if (!address.pathname.startsWith(base) || !existsSync(join(site.path, file))) return false;
  const heading = decodeURIComponent(address.hash.slice(1));
  return heading === '' || textOf(file).includes(`id="${heading}"`);
}

test('what stands outside docs/ is shown by the repository', () => {
  expect(textOf('adopting.html')).toContain(
    'href="https://github.com/poolguard/poolguard/blob/main/README.md#eslint-plugin"',
  );
});

test('the search knows every page', () => {
  const chunks = join(site.path, 'assets/chunks');
  const index = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndex')) ?? '';
  const known = readFileSync(join(chunks, index), 'utf8');
  const wanted = pages.map((page) => `${base}${pathOnSite(page).replace('index.html', '')}`);
  expect(wanted.filter((path) => !known.includes(path))).toEqual([]);
  expect(known).toContain('no-unreleased-client');
});

test('a dead link fails the build', async () => {
  // In the repository, where the configuration finds what it imports.
  const folder = await mkdtemp(join(root, '.cache-site-'));
  try {
    await mkdir(join(folder, '.vitepress'));
    await writeFile(
      join(folder, '.vitepress/config.ts'),
      "export { default } from '../../docs/.vitepress/config.ts';\n",
    );
    await writeFile(join(folder, 'index.md'), '# A page\n\n[Nothing](nowhere.md)\n');
    const { code, stderr } = await build(folder, join(folder, 'out'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('dead link ./nowhere in file index.md'),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
