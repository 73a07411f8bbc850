import type { Node } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import type { SourceFile } from './source-file.ts';

/** The nodes of a file, each before those below it, types and decorators left out. */
interface Preorder {
  readonly nodes: readonly Node[];
  /** For each node, the index of the one around it. */
  readonly parents: Int32Array;
  /** For each node, the index after the last one below it. */
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

function isRun(key: string): boolean {
  return !typeKeys.has(key);
}

function isAny(): boolean {
  return true;
}

/** The child nodes in source order, types and decorators left out. */
export function childrenOf(file: SourceFile, node: Node): readonly Node[] {
  return childrenBy(file, node, isRun);
}

/** All child nodes in source order. */
export function childrenWithTypes(file: SourceFile, node: Node): readonly Node[] {
  return childrenBy(file, node, isAny);
}

function childrenBy(
  file: SourceFile,
  node: Node,
  isWanted: (key: string) => boolean,
): readonly Node[] {
  const children: Node[] = [];
  addChildren(children, file, node, isWanted);
  return children;
}

function addChildren(
  children: Node[],
  { visitorKeys }: Pick<SourceFile, 'visitorKeys'>,
  node: Node,
  isWanted: (key: string) => boolean,
): void {
  const keys = visitorKeys[node.type] ?? [];
  // Loops over indexes, here and below: they run for each node of each file.
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (!isWanted(key)) continue;
    const value = (node as unknown as Readonly<Record<string, unknown>>)[key];
    if (!Array.isArray(value)) addNode(children, value);
    else for (let at = 0; at < value.length; at++) addNode(children, value[at]);
  }
  // The texts of a template come before its expressions in the tree.
  if (node.type === 'TemplateLiteral') children.sort((a, b) => a.range[0] - b.range[0]);
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

/** Whether a node, or something below it, passes a test; below what `ends` says nothing is looked at. */
export function someIn(
  file: SourceFile,
  node: Node,
  is: (node: Node) => boolean,
  ends?: (node: Node) => boolean,
): boolean {
  let found = false;
  walk(file, node, (each) => {
    found ||= is(each);
    return !found && ends?.(each) !== true;
  });
  return found;
}

/** Lets each node of a tree that no linter has walked know the one around it, those of types and decorators as well; `meet` is shown each before those below it. */
export function linkParents(
  tree: Pick<SourceFile, 'ast' | 'visitorKeys'>,
  meet?: (node: Node) => void,
): void {
  const waiting: Node[] = [tree.ast];
  const children: Node[] = [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    meet?.(node);
    children.length = 0;
    addChildren(children, tree, node, isAny);
    for (const child of children) {
      child.parent = node;
      waiting.push(child);
    }
  }
}

const preorderOf = oncePerTree((file): Preorder => {
  const nodes: Node[] = [];
  const parents: number[] = [];
  const waiting: Node[] = [file.ast];
  const waitingParents: number[] = [-1];
  const children: Node[] = [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    parents.push(waitingParents.pop() as number);
    children.length = 0;
    addChildren(children, file, node, isRun);
    for (let index = children.length - 1; index >= 0; index--) {
      waiting.push(children[index] as Node);
      waitingParents.push(nodes.length);
    }
    nodes.push(node);
  }
  const found = Int32Array.from(parents);
  return { nodes, parents: found, ends: endsOf(found) };
});

function endsOf(parents: Int32Array): Int32Array {
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
