import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress';

const docs = resolve(import.meta.dirname, '..');
const repository = 'https://github.com/poolguard/poolguard';

/** The heading of a page, without the marks of code. */
function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/mu.exec(readFileSync(join(docs, page), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

function entriesOf(pages: readonly string[]): DefaultTheme.SidebarItem[] {
  return pages.map((page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/u, '')}` }));
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** The pages that stand in docs/ itself, by what a reader wants. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started.md', 'adopting.md', 'ci.md', 'troubleshooting.md'],
  Editor: ['vscode.md', 'settings.md', 'editors.md'],
  'Database and application': ['probe.md', 'sweep.md', 'k6.md', 'monitor.md', 'poolers.md'],
  Rules: ['rules.md', ...pagesIn('rules')],
  Libraries: ['drivers.md', ...pagesIn('libraries')],
  Project: [
    'accuracy.md',
    'performance.md',
    'comparison.md',
    'security-and-privacy.md',
    'threat-model.md',
    'releasing.md',
  ],
};

/** Where a relative link of a page leads on the site: what stands outside docs/ is shown by the repository. */
function linkOnSite(link: string, page: string): string {
  if (/^(?:[a-z]+:|#|\/)/u.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join('docs', posix.dirname(page), path);
  if (target.startsWith('docs/')) return link;
  const kind = /\.\w+$/u.test(target) ? 'blob' : 'tree';
  return `${repository}/${kind}/main/${target}${anchor === undefined ? '' : `#${anchor}`}`;
}

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

function rewriteLinks(markdown: Markdown): void {
  markdown.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    const { relativePath } = env as { readonly relativePath: string };
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'link_open')
        token.attrSet('href', linkOnSite(token.attrGet('href') ?? '', relativePath));
  });
}

/** As GitHub makes them of headings, so that a link to one leads there in both places. */
function headingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

export default defineConfig({
  title: 'Poolguard',
  description: 'Finds PostgreSQL connection-pool bugs in Node.js code.',
  lang: 'en',
  // GitHub Pages serves a project below its name.
  base: '/poolguard/',
  outDir: '../dist/site',
  cacheDir: '../.cache/vitepress',
  rewrites: { 'README.md': 'index.md' },
  ignoreDeadLinks: false,
  markdown: { config: rewriteLinks, anchor: { slugify: headingId } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Rules', link: '/rules' },
      { text: 'Libraries', link: '/drivers' },
    ],
    sidebar: Object.entries(groups).map(([text, pages]) => ({
      text,
      collapsed: pages.length > 6,
      items: entriesOf(pages),
    })),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
  },
});
