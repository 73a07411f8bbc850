import { listenMethods } from '../model/emitters.ts';
import { keepingMethods } from '../model/handing-over.ts';
import { timers } from '../model/slow-calls.ts';
import { isRequest, type Request } from '../syntax/call-chain.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { type CallNode, type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import {
  contains,
  isGlobal,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { paramsOf } from '../syntax/parameters.ts';

/** The calls that a function makes and waits for, those in the functions that it gives to array methods and chains among them. */
export function callsIn(fn: FunctionNode, file: SourceFile): readonly Request[] {
  const calls: Request[] = [];
  walk(file, fn.body, (node) => {
    if (isNeverReached(node)) return false;
    if (isFunction(node)) return runsAtOnce(node);
    if (isRequest(node) && !isDropped(node)) calls.push(node);
    return true;
  });
  return calls;
}

const jumps: ReadonlySet<string> = new Set(['ReturnStatement', 'ThrowStatement']);

/** A statement behind one that always leaves the block around both. */
export function isNeverReached(node: Node): boolean {
  const block = parentOf(node);
  if (block?.type !== 'BlockStatement' || node.type === 'FunctionDeclaration') return false;
  const leaves = block.body.findIndex(({ type }) => jumps.has(type));
  return leaves !== -1 && block.body.findIndex((each) => each === node) > leaves;
}

const runners: ReadonlySet<string> = new Set([
  'map',
  'flatMap',
  'reduce',
  'then',
  'catch',
  'finally',
]);

function runsAtOnce(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  return up?.type === 'CallExpression' && runners.has(memberName(up.callee) ?? '');
}

/**
 * What a call calls of which nothing is known: the functions without parameters that it is given, where what they come to is used, as in
 * `const rows = await retry(() => load())`. A listener comes to nothing.
 */
export function thunksGiven(call: CallNode, file: SourceFile): readonly FunctionNode[] {
  if (keeps(call, file)) return [];
  const isAsked = isValueUsed(call);
  return call.arguments
    .map((argument) => unwrap(argument))
    .filter(isFunction)
    .filter((fn) => paramsOf(fn).length === 0)
    .filter(
      (fn) => (isAsked && returnedValues(file, fn).length > 0) || isReadBehind(fn, call, file),
    );
}

function isValueUsed(call: Node): boolean {
  const up = parentOf(call);
  if (up?.type === 'AwaitExpression' || up?.type === 'TSAsExpression') return isValueUsed(up);
  return up !== undefined && up.type !== 'ExpressionStatement';
}

/** It sets a variable of the code around it that is read behind the call. */
function isReadBehind(fn: FunctionNode, call: Node, file: SourceFile): boolean {
  return someIn(file, fn.body, (node) => {
    const set = node.type === 'AssignmentExpression' ? variableOf(file, node.left) : undefined;
    const declared = set?.identifiers[0] as unknown as Node | undefined;
    return (
      declared !== undefined &&
      !contains(fn, declared) &&
      set?.references.some(
        ({ identifier }) => (identifier as unknown as Node).range[0] >= call.range[1],
      ) === true
    );
  });
}

/** `list.push(work)`, `emitter.on('done', work)`, `setTimeout(work)` */
export function keeps({ callee }: CallNode, file: SourceFile): boolean {
  if (callee.type !== 'MemberExpression')
    return callee.type === 'Identifier' && timers.has(callee.name) && isGlobal(callee, file);
  const name = memberName(callee) ?? '';
  return listenMethods.has(name) || keepingMethods.has(name);
}
