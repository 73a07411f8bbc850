import * as typescriptParser from '@typescript-eslint/parser';
import { join } from 'node:path';
import type { Node } from '../../rules/syntax/node.ts';
import type { AbstractValue } from '../../rules/values/abstract-values.ts';
import { createModules } from '../../rules/project/modules.ts';
import { createFileParser, type Parser } from '../../rules/project/parse-file.ts';
import { createResolver } from '../../rules/values/create-resolver.ts';
import type { Resolver } from '../../rules/values/resolver.ts';
import type { Place } from '../../rules/values/same-pool.ts';
import { walk } from '../../rules/syntax/preorder.ts';
import type { SourceFile } from '../../rules/syntax/source-file.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

/** Answers what the last expression with this text stands for in a file of the project. */
export type EntityAt = (path: string, text: string) => AbstractValue | undefined;

interface Project {
  readonly resolver: Resolver;
  /** The last expression with this text. */
  readonly placeOf: (path: string, text: string) => Place;
}

/** Asks a resolver about real files. */
export async function withResolver<Answer>(
  files: Files,
  ask: (entityAt: EntityAt, project: Project) => Answer,
): Promise<Answer> {
  await using folder = await createTemporaryFolder(files);
  const reader = createModules(
    createFileParser(typescriptParser as Parser, {}, folder.path),
  ).readerFor(undefined);
  const resolver = createResolver(reader);
  const placeOf = (path: string, text: string): Place => {
    const file = reader.read(`./${path}`, { path: join(folder.path, 'importer.ts') } as SourceFile);
    if (file === undefined) throw new Error(`${path} does not parse`);
    return { node: lastExpression(file, text), file };
  };
  const entityAt: EntityAt = (path, text) => {
    const { node, file } = placeOf(path, text);
    return resolver.abstractValueOf(node, file);
  };
  return ask(entityAt, { resolver, placeOf });
}

function lastExpression(file: SourceFile, text: string): Node {
  let found: Node | undefined;
  walk(file, file.ast, (node) => {
    if (node.range[0] > (found?.range[0] ?? -1) && file.text.slice(...node.range) === text)
      found = node;
    return true;
  });
  if (found === undefined) throw new Error(`${file.path} has no ${text}`);
  return found;
}
