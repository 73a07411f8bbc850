import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { settings } from '../../src/settings/settings.ts';
import { runInProcess } from '../support/cli-run.ts';
import { documents, root, textOf } from '../support/documents.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}

const { commands } = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest)
  .contributes;
// The changelog speaks of what was, and the pages for contributors of more programs than ours.
const pages = documents.filter(
  (document) => !['CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].includes(document),
);
/** Prose: without blocks, and without the tables that are written from the very things. */
const proseOf = (document: string) =>
  textOf(document)
    .replaceAll(/^```.*?^```$/gmsu, '')
    .replaceAll(/^\| `poolguard\..*$/gmu, '');

describe.each(pages)('%s names what exists', (document) => {
  const prose = proseOf(document);

  test('settings and commands by their key', () => {
    const known = new Set([
      ...Object.keys(settings).map((key) => `poolguard.${key}`),
      ...commands.map(({ command }) => command),
    ]);
    const named = [...prose.matchAll(/`(poolguard\.(?!config|tgz)[a-zA-Z.]+)`/gu)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('commands by their title', () => {
    const titles = new Set(commands.map(({ title }) => title));
    const named = [...prose.matchAll(/"Poolguard: ([^"]+)"/gu)].map(([, title = '']) => title);
    expect(named.filter((title) => !titles.has(title))).toEqual([]);
  });
});

describe('options of the command line', () => {
  /** Of other programs: ESLint, Node.js, k6, VS Code, the corpus. */
  const foreign = new Set([
    '--import',
    '--summary-export',
    '--install-extension',
    '--out',
    '--labels',
    '--list-unlabelled',
    '--tests',
  ]);
  let help = '';
  beforeAll(async () => {
    const names = [
      'lint',
      'activity',
      'pooler',
      'probe',
      'sweep',
      'report',
      'lsp',
      ...['sweep', 'ramp', 'compare', 'connect', 'spike', 'advise'].map((name) => `probe ${name}`),
    ];
    help = (
      await Promise.all(names.map((name) => runInProcess([...name.split(' '), '--help=all'])))
    )
      .map(({ stdout }) => stdout)
      .join('');
  });

  test.each(pages)('%s names those that a command has', (document) => {
    const named = [...proseOf(document).matchAll(/`(?!npm )[^`\n]*?(--[a-z][\w-]+)[^`\n]*`/gu)].map(
      ([, option = '']) => option,
    );
    expect(named.filter((option) => !foreign.has(option) && !help.includes(option))).toEqual([]);
  });
});
