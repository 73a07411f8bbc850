import { isRequest, type Request } from '../syntax/call-chain.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';

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
