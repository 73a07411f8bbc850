import { parseForESLint } from '@typescript-eslint/parser';
import type { Node } from '../../rules/syntax/node.ts';
import type { SourceFile } from '../../rules/syntax/source-file.ts';

/** A program that laws are tried on: one file, and what lies beside it on the disk. */
export interface Source {
  /** Says where it is from. */
  readonly name: string;
  /** Absolute; the file need not exist. */
  readonly path: string;
  readonly text: string;
  /** Other files that need not exist, by path. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** A program with its tree and scopes. */
export type Subject = SourceFile & { readonly source: Source };

/** Undefined for a text that does not parse. */
export function subjectOf(source: Source): Subject | undefined {
  try {
    const { ast, scopeManager, visitorKeys } = parseForESLint(source.text, {
      ecmaVersion: 'latest',
      sourceType: source.path.endsWith('.cjs') ? 'commonjs' : 'module',
      loc: true,
      range: true,
      tokens: true,
      comment: true,
      filePath: source.path,
    });
    const file = { ast, scopes: scopeManager, visitorKeys } as unknown as SourceFile;
    const subject: Subject = { ...file, path: source.path, text: source.text, source };
    linkParents(subject.ast, visitorKeys);
    return subject;
  } catch {
    return undefined;
  }
}

/** Types included, which the analysis leaves out. */
function linkParents(node: Node, keys: Subject['visitorKeys']): void {
  for (const key of keys[node.type] ?? [])
    for (const child of [(node as unknown as Record<string, unknown>)[key]].flat())
      if (isNode(child)) {
        child.parent = node;
        linkParents(child, keys);
      }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
