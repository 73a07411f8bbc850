import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeBlocksOf, type CodeBlock } from './code-blocks.ts';

export const root = resolve(import.meta.dirname, '../..');

/** Every Markdown file that this repository shows, relative to it, in order. */
export const documents: readonly string[] = [
  ...markdownIn('.', false),
  ...markdownIn('docs', true),
  'rules/README.md',
  'monitor/README.md',
  ...readdirSync(join(root, 'examples')).flatMap((name) =>
    name.endsWith('.json') ? [] : [`examples/${name}/README.md`],
  ),
].sort();

function markdownIn(folder: string, recursive: boolean): readonly string[] {
  return readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => (folder === '.' ? path : `${folder}/${path.replaceAll('\\', '/')}`));
}

export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** What one runner claims: a command of a shell block, or any other block as a whole. */
export interface Unit extends Pick<CodeBlock, 'language' | 'text' | 'caption' | 'line'> {
  readonly document: string;
}

export function unitsOf(document: string): readonly Unit[] {
  return codeBlocksOf(textOf(document)).flatMap(({ language, text, caption, line }) => {
    const unit = { document, language, caption };
    if (language !== 'sh') return [{ ...unit, text, line }];
    return text
      .split('\n')
      .flatMap((command, index) =>
        command === '' ? [] : [{ ...unit, text: command, line: line + 1 + index }],
      );
  });
}

/** As a shell splits a command, for those that a document shows. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/gu)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}
