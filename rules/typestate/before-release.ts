import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import { contains, findAncestor, parentOf, type SourceFile } from '../syntax/source-file.ts';
import { isRelease } from './releasing.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/** Whether statements make a call and release something behind it, before anything is waited for. */
export function isBeforeRelease(
  call: Node,
  statements: readonly Node[],
  file: SourceFile,
): boolean {
  const enclosing = statements.find((statement) => contains(statement, call));
  return (
    enclosing !== undefined &&
    enclosingFunction(call) === enclosingFunction(enclosing) &&
    !isInWaitingLoop(call, enclosing, file) &&
    releasesAtOnce(call, statements, file)
  );
}

/** The function that runs a node; the one given to `new Promise` runs with the code around it. */
function enclosingFunction(node: Node): Node | undefined {
  return findAncestor(node, (each): each is Node => isFunction(each) && !isExecutor(each));
}

function isExecutor(fn: Node): boolean {
  const made = parentOf(fn);
  return made?.type === 'NewExpression' && executorOf(made) === fn && !('async' in fn && fn.async);
}

/** The function, written in place, that `new Promise(…)` runs at once. */
export function executorOf({
  callee,
  arguments: [first],
}: TSESTree.NewExpression): FunctionNode | null {
  return isPromiseClass(callee) && first !== undefined && isFunction(first) ? first : null;
}

/** The next round may wait for something before the release comes. */
function isInWaitingLoop(call: Node, statement: Node, file: SourceFile): boolean {
  for (let each: Node | undefined = call; each !== undefined; each = parentOf(each)) {
    if (
      /^(?:For|While|DoWhile)/u.test(each.type) &&
      eventsIn(each, file).some(({ waits }) => waits)
    )
      return true;
    if (each === statement) return false;
  }
  return false;
}

function releasesAtOnce(call: Node, statements: readonly Node[], file: SourceFile): boolean {
  const [next] = statements
    .flatMap((statement) => eventsIn(statement, file))
    .filter(({ end }) => end > call.range[1])
    .sort((one, other) => one.end - other.end);
  return next?.waits === false;
}

interface Event {
  readonly end: number;
  /** True where something is waited for, false where something is released. */
  readonly waits: boolean;
}

function eventsIn(statement: Node, file: SourceFile): readonly Event[] {
  const events: Event[] = [];
  walk(file, statement, (node) => {
    if (isFunction(node)) return isExecutor(node);
    const isWait =
      node.type === 'AwaitExpression' ||
      node.type === 'YieldExpression' ||
      (node.type === 'ForOfStatement' && node.await);
    if (isWait || (node.type === 'CallExpression' && isRelease(node.callee, file)))
      events.push({ end: node.range[1], waits: isWait });
    return true;
  });
  return events;
}
