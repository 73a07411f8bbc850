import { type FunctionNode, type Node, isFunction, type CallNode } from '../../syntax/node.ts';
import { listenMethods } from '../../model/pool-life.ts';
import { originalName } from '../../syntax/exports.ts';
import { oncePerTree } from '../../syntax/once-per-file.ts';
import { someIn } from '../../syntax/preorder.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  type SourceFile,
  isMember,
} from '../../syntax/source-file.ts';
import { callOf, nameOfFunction, callsByName } from '../../syntax/calls.ts';

/** Calls that only a program has that stays: it serves, repeats, or waits for what comes. */
const stayingCalls: ReadonlySet<string> = new Set(['serve', 'createServer', 'setInterval']);
const stayingMethods: ReadonlySet<string> = new Set([
  ...stayingCalls,
  'listen',
  'schedule',
  'addEventListener',
  'process',
  'subscribe',
  'consume',
]);

/** What only a program that stays has: a server, a job, a subscription; or a file that others import. */
const stays = oncePerTree((file) => {
  return someIn(file, file.ast, (node) => isStaying(node, file) || isExport(node));
});

function isStaying(node: Node, file: SourceFile): boolean {
  switch (node.type) {
    case 'CallExpression':
      return node.callee.type === 'MemberExpression'
        ? stayingMethods.has(memberName(node.callee) ?? '')
        : stayingCalls.has(originalName(node.callee, file) ?? '');
    case 'NewExpression':
      return originalName(node.callee, file) === 'Worker';
    case 'Literal':
      return node.value === 'notification';
    default:
      return false;
  }
}

/** `export …`, `module.exports = …`, `exports.name = …` */
function isExport(node: Node): boolean {
  if (node.type === 'MemberExpression')
    return (
      node.object.type === 'Identifier' &&
      (node.object.name === 'exports' ||
        (node.object.name === 'module' && memberName(node) === 'exports'))
    );
  return /^Export(?:Named|Default|All)/u.test(node.type);
}

/** True for a file that looks like a program that does its work and ends. */
export function isScript(file: SourceFile): boolean {
  return file.text.startsWith('#!') || !stays(file) || endsProcessOnSuccess(file);
}

/** `process.exit(0)` on the way on which all is well. */
function endsProcessOnSuccess(file: SourceFile): boolean {
  if (!/process\s*\.\s*exit\s*\(\s*(?:0\s*)?\)/u.test(file.text)) return false;
  return someIn(
    file,
    file.ast,
    (node) => node.type === 'CallExpression' && isSuccessfulExit(node) && isInMainFlow(node, file),
  );
}

function isSuccessfulExit({ callee, arguments: [code] }: CallNode): boolean {
  return (
    isMember(callee, 'exit') &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'process' &&
    (code === undefined || (code.type === 'Literal' && code.value === 0))
  );
}

const maximalDepth = 5;

/** True for what the file's own run comes to: its top level, functions that it calls, callbacks of those; not listeners, hooks, and what it exports. */
export function isInMainFlow(node: Node, file: SourceFile, depth = 0): boolean {
  const fn = findAncestor(node, isFunction);
  if (fn === undefined) return true;
  if (depth >= maximalDepth || isExported(fn)) return false;
  if (callOf(fn) !== undefined) return true;
  const up = parentOf(fn);
  if (up?.type === 'CallExpression')
    return isPromiseMethod(up) && isInMainFlow(up, file, depth + 1);
  return callsByName(nameOfFunction(fn), file).some((call) => isInMainFlow(call, file, depth + 1));
}

function isPromiseMethod({ callee }: CallNode): boolean {
  return (
    callee.type === 'MemberExpression' &&
    /^(?:then|catch|finally)$/u.test(memberName(callee) ?? '') &&
    !listenMethods.has(memberName(callee) ?? '')
  );
}

function isExported(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  const declaration = up?.type === 'VariableDeclarator' ? parentOf(up.parent) : up;
  return (
    declaration?.type === 'ExportNamedDeclaration' ||
    declaration?.type === 'ExportDefaultDeclaration'
  );
}
