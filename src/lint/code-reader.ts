import type { WrittenRoute } from '../../rules/index.ts';
import { codeOfFile, type FileCode } from './file-code.ts';
import { createInspector } from './linter.ts';
import { isTooLarge } from './may-use-pool.ts';
import type { Analyser } from './analyser.ts';
import { readSource } from './read-source.ts';

/** What one file of the disk sends to a database. */
export interface ReadCode extends FileCode {
  readonly routes: readonly WrittenRoute[];
}

/** Reads one file after the other. Of what cannot be read or parsed nothing is known. */
export type CodeReader = (path: string) => ReadCode;

export function createCodeReader(analyser: Analyser): CodeReader {
  const inspect = createInspector(analyser, {});
  return (path) => {
    const text = readSource(path);
    if (isTooLarge(text)) return { statements: [], queries: [], pools: [], routes: [] };
    const file = inspect({ path, text });
    return { ...codeOfFile(file, false), routes: file.routes() };
  };
}
