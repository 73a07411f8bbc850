import type { TSESTree } from '@typescript-eslint/types';
import type { Library } from '../model/library.ts';
import { methodsBehind, waitFor, type Request } from '../syntax/call-chain.ts';
import type { Node } from '../syntax/node.ts';
import { parentOf } from '../syntax/source-file.ts';
import { possibleStarts } from './first-call.ts';
import { isAt, waysTo } from './handle-paths.ts';

/** A query over a handle that is known by other means: `tx` in `tx.select().from(users)`. */
export function queryOver(
  call: TSESTree.CallExpression,
  libraryAt: (node: Node) => Library | undefined,
): Node | undefined {
  for (const each of possibleStarts(call, () => false)) {
    const behind = methodsBehind(each);
    const way = waysTo(each).find(({ handle, path }) => {
      const library = libraryAt(handle);
      return library !== undefined && sendsAt(library, path, each, behind);
    });
    if (way !== undefined) return way.handle;
  }
  return undefined;
}

/** `trx` in `await trx.select().from(users)`: it is asked for a query that somebody waits for. */
export function isQueried(handle: Node, library: Library): boolean {
  let callee = handle;
  for (let up = parentOf(callee); up?.type === 'MemberExpression'; up = parentOf(callee)) {
    if (up.object !== callee) return false;
    callee = up;
  }
  const call = parentOf(callee);
  if (call?.type !== 'CallExpression' || call.callee !== callee || waitFor(call) === 'dropped')
    return false;
  const way = waysTo(call).find((each) => each.handle === handle);
  return way !== undefined && sendsAt(library, way.path, call, methodsBehind(call));
}

export function sendsAt(
  { sends, tags, boundBy }: Library,
  path: readonly string[],
  { type }: Request,
  behind: readonly string[],
): boolean {
  if (type === 'TaggedTemplateExpression') return tags.some((each) => isAt(path, each));
  return (
    !boundBy.some((name) => behind.includes(name)) &&
    sends.some(
      ({ paths, by }) =>
        paths.some((each) => isAt(path, each)) &&
        (by === null || by.some((name) => behind.includes(name))),
    )
  );
}
