import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type Node } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { contains, memberName, parentOf } from '../syntax/source-file.ts';

/**
 * Whether the code goes on in the same transaction when a call fails. On the connection of that transaction the failure would abort it,
 * and its COMMIT would roll back without an error (PostgreSQL, COMMIT). A `try` in which the transaction begins ends with it.
 */
export function goesOnAfterFailure(call: Node, begun: readonly Node[]): boolean {
  for (
    let inner = call, up = parentOf(call);
    up !== undefined && !isFunction(up);
    inner = up, up = parentOf(up)
  ) {
    if (isChain(up) && up.callee === inner && memberName(inner) === 'catch') return true;
    const handler = up.type === 'TryStatement' && up.block === inner ? up.handler : null;
    if (handler && !endsInThrow(handler.body) && !begun.some((each) => contains(inner, each)))
      return true;
  }
  return false;
}

function endsInThrow({ body }: TSESTree.BlockStatement): boolean {
  return body.at(-1)?.type === 'ThrowStatement';
}
