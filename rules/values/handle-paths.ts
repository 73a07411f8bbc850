import { askedBy, type Request } from '../syntax/call-chain.ts';
import type { Node } from '../syntax/node.ts';
import { memberName, unwrap } from '../syntax/source-file.ts';

export interface Way {
  readonly handle: Node;
  readonly path: readonly string[];
}

/** Every expression that may be the handle of a call, with the members from there to the call. */
export function waysTo(request: Request): readonly Way[] {
  const asked = askedBy(request);
  const ways: Way[] = [{ handle: asked, path: [] }];
  let path: readonly string[] = [];
  for (
    let node: Node = unwrap(asked);
    node.type === 'MemberExpression' && path.length < 3;
    node = unwrap(node.object)
  ) {
    const name = memberName(node);
    if (name === undefined) break;
    path = [name, ...path];
    ways.push({ handle: node.object, path });
  }
  return ways;
}

export function isAt(path: readonly string[], pattern: string): boolean {
  // Nearly all patterns end in another name.
  if (!pattern.endsWith(path.at(-1) ?? '') && !pattern.endsWith('*')) return false;
  const names = pattern === '' ? [] : pattern.split('.');
  return (
    names.length === path.length &&
    names.every((name, index) => name === '*' || name === path[index])
  );
}
