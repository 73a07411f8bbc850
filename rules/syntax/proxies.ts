import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type Node } from './node.ts';
import { paramsOf } from './parameters.ts';
import { someIn } from './preorder.ts';
import {
  isMember,
  keyName,
  memberName,
  parentOf,
  referencesTo,
  type SourceFile,
} from './source-file.ts';

/** What `new Proxy(target, handler)` stands for: its target, where the handler is written out and has nothing to do with these members. */
export function proxied(
  { callee, arguments: [target, handler] }: TSESTree.NewExpression,
  members: readonly string[],
  file: SourceFile,
): Node | undefined {
  if (!isProxyClass(callee)) return undefined;
  return handler?.type === 'ObjectExpression' && !speaksOf(handler, members, file)
    ? target
    : undefined;
}

function isProxyClass(callee: Node): boolean {
  return callee.type === 'Identifier' && callee.name === 'Proxy';
}

/** What members of `new Proxy(target, handler)` are members of: of the target, or of what a `get` reads them from: `Reflect.get(db(), key)`, `db()[key]`. */
export function membersBehind(
  { callee, arguments: [target, handler] }: TSESTree.NewExpression,
  file: SourceFile,
): Node | undefined {
  if (!isProxyClass(callee) || handler?.type !== 'ObjectExpression') return undefined;
  const get = handler.properties.flatMap((each) =>
    each.type === 'Property' && keyName(each.key, each.computed) === 'get' ? [each.value] : [],
  )[0];
  if (get === undefined) return target;
  if (!isFunction(get)) return undefined;
  const [own, key] = paramsOf(get);
  const sources = referencesTo(key, file).flatMap((each) => readFor(each) ?? []);
  const others = sources.filter((each) => !referencesTo(own, file).includes(each));
  return others[0] ?? (sources.length > 0 ? target : undefined);
}

/** What a member is read from by its key. */
function readFor(key: Node): Node | undefined {
  const up = parentOf(key);
  if (up?.type === 'MemberExpression') return up.property === key ? up.object : undefined;
  return up?.type === 'CallExpression' && isMember(up.callee, 'get') && up.arguments[1] === key
    ? up.arguments[0]
    : undefined;
}

function speaksOf(node: Node, members: readonly string[], file: SourceFile): boolean {
  return someIn(file, node, (each) => {
    const name =
      each.type === 'MemberExpression'
        ? memberName(each)
        : each.type === 'Literal'
          ? each.value
          : undefined;
    return members.some((member) => member === name);
  });
}
