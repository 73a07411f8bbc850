import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import { unwrap, variableOf, type SourceFile } from '../syntax/source-file.ts';
import type { KnownFunction } from './outcome.ts';
import { useOf, type Use } from '../syntax/uses.ts';

/** `find(client)(id)`, where `find = (client) => async (id) => client.query(…)`: the function that captured the client is called at once, and only borrows it. */
export function isCalledAtOnce(call: CallNode, callee: KnownFunction): boolean {
  if (call.parent.type !== 'CallExpression' || call.parent.callee !== call) return false;
  const inner = functionGiven(callee.node);
  return (
    inner !== undefined && callee.node.params.every((param) => isOnlyBorrowed(param, callee.file))
  );
}

/** The function that is all a function gives back. */
function functionGiven({ body }: FunctionNode): FunctionNode | undefined {
  const [statement] = body.type === 'BlockStatement' ? body.body : [];
  const value =
    body.type !== 'BlockStatement'
      ? body
      : statement?.type === 'ReturnStatement'
        ? statement.argument
        : null;
  const plain = value ? unwrap(value) : undefined;
  return plain !== undefined && isFunction(plain) ? plain : undefined;
}

function isOnlyBorrowed(param: Node, file: SourceFile): boolean {
  const references = param.type === 'Identifier' ? variableOf(file, param)?.references : undefined;
  return (
    references?.every(({ identifier }) => borrows(useOf(identifier as unknown as Node))) ?? false
  );
}

function borrows(use: Use): boolean {
  return use.kind === 'receiver'
    ? use.member !== methods.release && use.member !== methods.end && use.call !== null
    : use.kind === 'neutral';
}
