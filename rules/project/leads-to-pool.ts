import type { SourceCode } from 'eslint';
import { createModules, type ModuleReader } from './modules.ts';
import { modulesOf } from './modules-of-parser.ts';
import { createFileParser, type Parser } from './parse-file.ts';
import { textOnly } from './trees.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** A file that is about to be linted, and how. */
export interface Unparsed {
  readonly path: string;
  readonly text: string;
  readonly parser: Parser;
  readonly visitorKeys: SourceCode['visitorKeys'];
  readonly cwd: string;
}

/** False when neither a file nor anything that it imports may check a client out or names a driver or a library: no rule finds anything in it. */
export function reachesPool(file: SourceFile, reader: ModuleReader): boolean {
  return reader.leadsToCheckout?.(file) !== false || reader.leadsToDriver?.(file) !== false;
}

/** The same of a file that is not parsed: only texts are looked at. */
export function leadsToPool({ path, text, parser, visitorKeys, cwd }: Unparsed): boolean {
  const modules = modulesOf(parser, (source) =>
    createModules(createFileParser(parser, visitorKeys, cwd), source),
  );
  const file = textOnly(path, text);
  return reachesPool(file, modules.readerFor(file));
}
