import type { Library } from '../model/library.ts';
import { isRequest, methodsBehind, waitFor, type Request } from '../syntax/call-chain.ts';
import type { Node } from '../syntax/node.ts';
import { parentOf, unwrap } from '../syntax/source-file.ts';
import { possibleStarts } from './first-call.ts';
import { isAt, waysTo, type Way } from './handle-paths.ts';

/** A query over a handle that is known by other means, and that is sent: `tx` in `tx.select().from(users)`. */
export function queryOver(
  request: Request,
  libraryAt: (node: Node) => Library | undefined,
  isWaitedFor = false,
): Node | undefined {
  return wayOver(request, libraryAt, isWaitedFor)?.handle;
}

/** The same, with the request itself and the members from the handle to it; `isWaitedFor`: by somebody that the code around it does not show. */
export function wayOver(
  request: Request,
  libraryAt: (node: Node) => Library | undefined,
  isWaitedFor = false,
): (Way & { readonly asked: Request }) | undefined {
  const starts = possibleStarts(request, (node) => libraryAt(node) !== undefined);
  for (const each of [...starts, ...tagBelow(request)]) {
    const behind = methodsBehind(each);
    const way = waysTo(each).find(({ handle, path }) => {
      const library = libraryAt(handle);
      return (
        library !== undefined &&
        sendsAt(library, path, each, behind) &&
        (isWaitedFor || isUnderWay(library, each, behind))
      );
    });
    if (way !== undefined) return { ...way, asked: each };
  }
  return undefined;
}

/** ``tx`…` `` of ``tx`…`.execute()`` */
function tagBelow(request: Request): readonly Request[] {
  const { callee } = request.type === 'CallExpression' ? request : { callee: undefined };
  const below = callee?.type === 'MemberExpression' ? unwrap(callee.object) : undefined;
  return below === undefined || !isRequest(below)
    ? []
    : below.type === 'TaggedTemplateExpression'
      ? [below]
      : tagBelow(below);
}

/** A query is sent when it is asked for, or somebody waits for it, or a method after it sends it. */
export function isUnderWay(
  { isLazy, sentBy }: Library,
  request: Request,
  behind: readonly string[],
): boolean {
  return !isLazy || waitFor(request) !== 'dropped' || sentBy.some((name) => behind.includes(name));
}

/** `tx` of `tx.transaction(work)`, where several of them at a time do not get along. */
export function nestedOver(
  request: Request,
  libraryAt: (node: Node) => Library | undefined,
): Node | undefined {
  return waysTo(request).find(({ handle, path }) => {
    const library = path.length > 0 ? libraryAt(handle) : undefined;
    return (
      library !== undefined &&
      library.nestedTogether !== null &&
      library.lends.some((each) => each.opens && each.by === null && isAt(path, each.path))
    );
  })?.handle;
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
