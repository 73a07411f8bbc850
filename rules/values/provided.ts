import type { ModuleReader } from '../project/module-reader.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/**
 * A container has at most one value for a token of this name: the program does not provide it twice, nor anew for each request
 * (`scope`). Unknown where the program is not looked through. Without a provider in the program a package has it.
 */
export function isProvidedOnce(name: string, file: SourceFile, { texts }: ModuleReader): boolean {
  const providers = texts?.providing
    .matching(file.path)
    ?.flatMap((text) => providersIn(text, name));
  return providers !== undefined && providers.length < 2 && !providers.some(isScoped);
}

/** `{ provide: DRIZZLE, useFactory }`, and the lists `providers: [DatabaseService]` that name a class. */
function providersIn(text: string, name: string): readonly string[] {
  const own = new RegExp(
    `\\bprovide\\s*:\\s*(?:(?:[\\w$]+\\.)*${escaped(name)}(?![\\w$])|(["'\`])${escaped(name)}\\1)`,
    'gu',
  );
  return [
    ...[...text.matchAll(own)].map(({ index }) => enclosing(text, index)),
    ...listsIn(text).filter((list) => listed(name).test(list)),
  ];
}

function listed(name: string): RegExp {
  return new RegExp(`(?<![\\w$.:]\\s*)${escaped(name)}\\s*(?=[,\\]])`, 'u');
}

function escaped(name: string): string {
  return name.replace(/[^\w]/gu, String.raw`\$&`);
}

function isScoped(provider: string): boolean {
  return /\bscope\s*:/u.test(provider);
}

/** The object that a position is in. */
function enclosing(text: string, index: number): string {
  const start = text.lastIndexOf('{', index);
  return balanced(text, start, '{', '}');
}

function listsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bproviders\s*:\s*\[/gu)].map(({ index }) =>
    balanced(text, text.indexOf('[', index), '[', ']'),
  );
}

function balanced(text: string, start: number, open: string, close: string): string {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === open) depth++;
    if (text[index] === close && --depth === 0) return text.slice(start, index + 1);
  }
  return text.slice(start);
}
