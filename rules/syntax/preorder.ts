import type { Node } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import type { SourceFile } from './source-file.ts';

/** The nodes of a file, each before those below it, types and decorators left out. */
interface Preorder {
  readonly nodes: readonly Node[];
  /** For each node, the index of the one around it. */
  readonly parents: readonly number[];
  /** For each node, the index behind the last one below it. */
  readonly ends: Int32Array;
}

/** Subtrees that are not run. */
const typeKeys: ReadonlySet<string> = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
  'decorators',
]);

/** The child nodes in source order, types and decorators left out. */
export function childrenOf(file: SourceFile, node: Node): readonly Node[] {
  return childrenBy(file, node, (key) => !typeKeys.has(key));
}

/** All child nodes in source order. */
export function childrenWithTypes(file: SourceFile, node: Node): readonly Node[] {
  return childrenBy(file, node, () => true);
}

function childrenBy(
  file: SourceFile,
  node: Node,
  isWanted: (key: string) => boolean,
): readonly Node[] {
  const children: Node[] = [];
  for (const key of file.visitorKeys[node.type] ?? []) {
    if (!isWanted(key)) continue;
    const value = (node as unknown as Readonly<Record<string, unknown>>)[key];
    if (!Array.isArray(value)) addNode(children, value);
    else for (const each of value as unknown[]) addNode(children, each);
  }
  // The texts of a template come before its expressions in the tree.
  return node.type === 'TemplateLiteral'
    ? children.sort((a, b) => a.range[0] - b.range[0])
    : children;
}

function addNode(children: Node[], value: unknown): void {
  if (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { type?: unknown }).type === 'string'
  )
    children.push(value as Node);
}

/**
 * Calls `visit` for a node and everything below it; a subtree is skipped where `visit` returns false. A file is asked many
 * questions of this kind, so its tree is laid out in a row once.
 */
export function walk(
  file: SourceFile,
  node: Node,
  visit: (node: Node) => boolean | undefined,
): void {
  const { nodes, ends } = preorderOf(file);
  const start = indexOf(node, nodes);
  const end = ends[start] ?? start;
  for (let index = start; index < end;) {
    index = visit(nodes[index] as Node) === false ? (ends[index] ?? end) : index + 1;
  }
}

/** Lets each node of a file that no linter has prepared know the one around it. */
export function linkParents(file: SourceFile): void {
  const { nodes, parents } = preorderOf(file);
  for (const [index, parent] of parents.entries()) {
    const [node, up] = [nodes[index], nodes[parent]];
    if (node !== undefined && up !== undefined) node.parent = up;
  }
}

const preorderOf = oncePerTree((file): Preorder => {
  const nodes: Node[] = [];
  const parents: number[] = [];
  const stack: (readonly [node: Node, parent: number])[] = [[file.ast, -1]];
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    const [node, parent] = each;
    const children = childrenOf(file, node);
    for (let index = children.length - 1; index >= 0; index--)
      stack.push([children[index] as Node, nodes.length]);
    nodes.push(node);
    parents.push(parent);
  }
  return { nodes, parents, ends: endsOf(parents) };
});

function endsOf(parents: readonly number[]): Int32Array {
  const ends = new Int32Array(parents.length);
  for (let index = parents.length - 1; index >= 0; index--) {
    const end = Math.max(ends[index] ?? 0, index + 1);
    const parent = parents[index] ?? -1;
    ends[index] = end;
    if (parent >= 0 && (ends[parent] ?? 0) < end) ends[parent] = end;
  }
  return ends;
}

/** Nodes stand in the order in which they begin; a node that is none of the file's own has nothing below it. */
function indexOf(node: Node, nodes: readonly Node[]): number {
  if (node === nodes[0]) return 0;
  let [low, high] = [1, nodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((nodes[middle]?.range[0] ?? 0) < node.range[0]) low = middle + 1;
    else high = middle;
  }
  while (low < nodes.length && nodes[low] !== node && nodes[low]?.range[0] === node.range[0]) low++;
  return nodes[low] === node ? low : nodes.indexOf(node);
}
