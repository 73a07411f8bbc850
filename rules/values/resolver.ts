import type { FunctionNode, Node } from '../syntax/node.ts';
import type { ModuleReader } from '../project/module-reader.ts';
import type { SourceFile, Variable } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';

/** Which other files a resolver opens: all, those that lead to a checkout, or none. */
export type ImportReachability = 'all' | 'near' | 'local';

/** A question about a file whose answer is plain data. */
export interface PlainQuestion<Found> {
  readonly text: string;
  /** What is found while the question is on the way to its own answer. */
  readonly unknown: Found;
  find(there: Resolver, file: SourceFile): Found;
  readonly family?:
    | {
        readonly name: string;
        membersIn(there: Resolver, file: SourceFile): readonly PlainQuestion<Found>[];
      }
    | undefined;
}

export type FindInFile = (there: Resolver, file: SourceFile) => AbstractValue | undefined;

/** Questions that are likely to be asked of one file. */
export interface ValueFamily {
  readonly name: string;
  membersIn(
    there: Resolver,
    file: SourceFile,
  ): readonly (readonly [question: string, find: FindInFile])[];
}

/** Answers what expressions stand for, across files. One resolver serves one file, its home. */
export interface Resolver {
  readonly reader: ModuleReader;
  abstractValueOf(node: Node, file: SourceFile): AbstractValue | undefined;
  /** What a function gives back. */
  returnedBy(fn: {
    readonly node: FunctionNode;
    readonly file: SourceFile;
  }): AbstractValue | undefined;
  /** What `object.name` stands for. */
  memberOf(object: AbstractValue, name: string): AbstractValue | undefined;
  /** What an import gives: `name` is the exported name, `*` for the whole module. */
  importedFrom(specifier: string, name: string, importer: SourceFile): AbstractValue | undefined;
  /** What a variable holds. */
  valueOfVariable(variable: Variable, file: SourceFile): AbstractValue | undefined;
  /** The answer for a node, found once; while it is being found the node is unknown to itself, as all that is asked here. */
  once(node: Node, find: () => AbstractValue | undefined): AbstractValue | undefined;
  /** The same for a question about a name of something. */
  onceNamed(
    subject: object,
    name: string,
    find: () => AbstractValue | undefined,
  ): AbstractValue | undefined;
  /**
   * What is found in a file: at once in the resolver's home, elsewhere by a resolver that has that file as its home, and kept without
   * its tree.
   */
  inFile(
    file: SourceFile,
    question: string,
    find: FindInFile,
    family?: ValueFamily,
  ): AbstractValue | undefined;
  /** The same for plain data. */
  readonly knownIn: <Found>(file: SourceFile, question: PlainQuestion<Found>) => Found;
  /** Answers as far as one file tells; it opens no other. */
  readonly local: Resolver;
  /** Opens only files that lead to a checkout: for questions that are asked of every call. */
  readonly near: Resolver;
}

/** Where something is asked: in which file, and who answers. */
export interface Here {
  readonly file: SourceFile;
  readonly resolver: Resolver;
}
