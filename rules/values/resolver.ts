import type { FunctionNode, Node } from '../syntax/node.ts';
import type { ModuleReader } from '../project/modules.ts';
import type { SourceFile, Variable } from '../syntax/source-file.ts';
import type { Entity } from './entities.ts';

/** Answers what expressions stand for, across files. One resolver serves one linted file. */
export interface Resolver {
  readonly reader: ModuleReader;
  entityOf(node: Node, file: SourceFile): Entity | undefined;
  /** What a function gives back. */
  returnedBy(fn: { readonly node: FunctionNode; readonly file: SourceFile }): Entity | undefined;
  /** What `object.name` stands for. */
  memberOf(object: Entity, name: string): Entity | undefined;
  /** What an import gives: `name` is the exported name, `*` for the whole module. */
  importedFrom(specifier: string, name: string, importer: SourceFile): Entity | undefined;
  /** What a type annotation says a value is. */
  entityOfVariable(variable: Variable, file: SourceFile): Entity | undefined;
  /** The answer for a node, found once; while it is being found the node is unknown to itself. */
  once(node: Node, find: () => Entity | undefined): Entity | undefined;
  /** The answer to a question about a name of something; unknown when it is asked again on the way to its answer, because definitions may go round in circles. */
  unlessAsked(subject: object, name: string, find: () => Entity | undefined): Entity | undefined;
  /** Answers as far as one file tells; it opens no other. */
  readonly local: Resolver;
  /** Opens only files that lead to a checkout: for questions that are asked of every call. */
  readonly near: Resolver;
}
