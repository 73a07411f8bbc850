import type { Graph, Point } from '../flow/graph.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { AccessPath } from './access-path.ts';
import type { AccessPaths } from './access-paths.ts';
import type { Fact, Holding, Value } from './facts.ts';
import { childrenOf } from '../syntax/preorder.ts';
import { parentOf, type SourceFile } from '../syntax/source-file.ts';

/** Values that something other than a test may ask for; they are always kept. */
const kept: ReadonlySet<Value> = new Set<Value>([
  'client',
  'container',
  'promise',
  'provider',
  'release',
  'collection',
]);

/**
 * Forgets what is known of access paths that nothing after a point reads any more, so that facts which differ in nothing else become
 * one: a row of independent tests then costs their sum, and not their product. `tested` are the access paths in question. What is read
 * is told by the statement: an access path counts as read until the statement that names it has ended.
 */
export function createLivenessPruning(
  graph: Graph,
  accessPaths: AccessPaths,
  tested: ReadonlySet<AccessPath>,
  file: SourceFile,
): (fact: Fact, point: Point) => Fact {
  let live: Liveness | undefined;
  return (fact, point) => {
    live ??= computeLiveness(graph, accessPaths, tested, file);
    const { numbers, before } = live;
    const isDead = ({ accessPath, value }: Holding): boolean => {
      const number = numbers.get(accessPath);
      return number !== undefined && !kept.has(value) && !has(before[point.id], number);
    };
    return fact.accessPaths.some(isDead)
      ? { ...fact, accessPaths: fact.accessPaths.filter((each) => !isDead(each)) }
      : fact;
  };
}

interface Liveness {
  readonly numbers: ReadonlyMap<AccessPath | undefined, number>;
  /** By the point's id: the access paths that are read at or behind it, one bit each. */
  readonly before: readonly Uint32Array[];
}

function computeLiveness(
  graph: Graph,
  accessPaths: AccessPaths,
  tested: ReadonlySet<AccessPath>,
  file: SourceFile,
): Liveness {
  const numbers = new Map<AccessPath | undefined, number>(
    [...tested].map((accessPath, index) => [accessPath, index]),
  );
  const words = Math.ceil(numbers.size / 32);
  const readIn = createReads(accessPaths, numbers, words, file);
  const statementOf = createStatementOf();
  const before = graph.points.map((point) =>
    readAt(point, (each) => readIn(statementOf(each)), words),
  );
  const killed = graph.points.map(({ kind, target }) =>
    kind === 'bind' && target !== null ? numbers.get(accessPaths.accessPathOf(target)) : undefined,
  );
  // Points are numbered roughly in the order of evaluation, so this settles after a round or two more than loops are nested.
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (let index = graph.points.length - 1; index >= 0; index--) {
      const [point, own] = [graph.points[index], before[index]];
      if (point === undefined || own === undefined) continue;
      for (const { to } of point.edges)
        isSettled = !addTo(own, before[to.id], killed[index]) && isSettled;
    }
  }
  return { numbers, before };
}

/** True when something was new. A bound access path's old value is not read, whatever is read of it later. */
function addTo(
  own: Uint32Array,
  other: Uint32Array | undefined,
  killed: number | undefined,
): boolean {
  let isNew = false;
  for (let word = 0; word < own.length; word++) {
    const old = own[word] ?? 0;
    const mask = killed !== undefined && killed >>> 5 === word ? ~(1 << (killed & 31)) : ~0;
    const added = (old | ((other?.[word] ?? 0) & mask)) >>> 0;
    isNew ||= added !== old;
    own[word] = added;
  }
  return isNew;
}

function has(bits: Uint32Array | undefined, number: number): boolean {
  return ((bits?.[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
}

type Reads = (statement: Node) => Uint32Array;

function readAt({ node, target }: Point, readIn: Reads, words: number): Uint32Array {
  const read = new Uint32Array(words);
  for (const each of [node, target]) {
    if (each !== null) addTo(read, readIn(each), undefined);
  }
  return read;
}

/** Tells the statement around a node, or the function whose head or whole body it stands in. The way up is gone once from each node. */
function createStatementOf(): (node: Node) => Node {
  const known = new Map<Node, Node>();
  return (node) => {
    const way: Node[] = [];
    let each = node;
    for (
      let up = parentOf(each);
      up !== undefined && !known.has(each) && !isStatement(each);
      up = parentOf(each)
    ) {
      way.push(each);
      each = up;
    }
    const found = known.get(each) ?? each;
    for (const passed of way) known.set(passed, found);
    return found;
  };
}

function isStatement(node: Node): boolean {
  return node.type.endsWith('Statement') || node.type === 'VariableDeclaration' || isFunction(node);
}

/** The access paths that a statement names, those of the statements inside of it left out. */
function createReads(
  accessPaths: AccessPaths,
  numbers: ReadonlyMap<AccessPath | undefined, number>,
  words: number,
  file: SourceFile,
): Reads {
  const known = new Map<Node, Uint32Array>();
  return (statement) => {
    const before = known.get(statement);
    if (before !== undefined) return before;
    const read = new Uint32Array(words);
    known.set(statement, read);
    const stack: Node[] = [statement];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const number = numbers.get(accessPaths.accessPathOf(node));
      if (number !== undefined)
        read[number >>> 5] = (read[number >>> 5] ?? 0) | (1 << (number & 31));
      for (const child of childrenOf(file, node)) {
        if (!isStatement(child) && !isWritten(child, node)) stack.push(child);
      }
    }
    return read;
  };
}

/** A name that only gets a value here. */
function isWritten(node: Node, parent: Node): boolean {
  if (node.type !== 'Identifier') return false;
  return (
    (parent.type === 'VariableDeclarator' && parent.id === node) ||
    (parent.type === 'AssignmentExpression' && parent.operator === '=' && parent.left === node)
  );
}
