import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../../syntax/node.ts';
import { listenMethods } from '../../model/pool-life.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  variableOf,
  type SourceFile,
} from '../../syntax/source-file.ts';

/** What only a program that stays has: a server, a job, a subscription; or a file that others import. */
const staying =
  /\.listen\s*\(|\bserve\s*\(|createServer\s*\(|setInterval\s*\(|\.schedule\s*\(|addEventListener\s*\(|\.process\s*\(|new\s+Worker\s*\(|\.subscribe\s*\(|\.consume\s*\(|['"`]notification['"`]|^[ \t]*export\b|\bmodule\.exports\b|\bexports\.\w/mu;

/** True for a file that looks like a program that does its work and ends. */
export function isScript(file: SourceFile): boolean {
  return file.text.startsWith('#!') || !staying.test(file.text) || endsProcessOnSuccess(file);
}

/** `process.exit(0)` on the way on which all is well. */
function endsProcessOnSuccess(file: SourceFile): boolean {
  if (!/process\s*\.\s*exit\s*\(\s*(?:0\s*)?\)/u.test(file.text)) return false;
  let found = false;
  walk(file, file.ast, (node) => {
    found ||= node.type === 'CallExpression' && isSuccessfulExit(node) && isInMainFlow(node, file);
    return !found;
  });
  return found;
}

function isSuccessfulExit({ callee, arguments: [code] }: TSESTree.CallExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    memberName(callee) === 'exit' &&
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
  const up = parentOf(fn);
  if (up?.type === 'CallExpression')
    return up.callee === fn || (isPromiseMethod(up) && isInMainFlow(up, file, depth + 1));
  return callsOf(fn, file).some((call) => isInMainFlow(call, file, depth + 1));
}

function isPromiseMethod({ callee }: TSESTree.CallExpression): boolean {
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

function callsOf(fn: FunctionNode, file: SourceFile): readonly Node[] {
  const up = parentOf(fn);
  const name =
    fn.type === 'FunctionDeclaration' ? fn.id : up?.type === 'VariableDeclarator' ? up.id : null;
  const references = name === null ? [] : (variableOf(file, name)?.references ?? []);
  return references
    .map(({ identifier }) => identifier as unknown as Node)
    .filter((identifier) => {
      const call = parentOf(identifier);
      return call?.type === 'CallExpression' && call.callee === identifier;
    });
}
