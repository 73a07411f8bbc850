import { questionIn } from '../syntax/conditions.ts';
import type { FunctionNode, Node } from '../syntax/node.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { nodeAt, placeOf } from './apart.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** What `AsyncLocalStorage` keeps for the calls below, or a member of it: whoever began them decides what that is (Node 20 `lib/async_hooks.js`). */
export function isAmbient(value: AbstractValue | undefined): boolean {
  return (
    value?.kind === 'package' &&
    value.module === 'async_hooks' &&
    value.name.split('.').includes('getStore')
  );
}

export function isAmbientAt(node: Node, file: SourceFile, resolver: Resolver): boolean {
  return isAmbient(resolver.abstractValueOf(node, file)) || tellsOfAmbient(node, file, resolver);
}

/** `isActive()` of a function that says whether something is kept: `return storage.getStore() !== undefined`. */
function tellsOfAmbient(node: Node, file: SourceFile, resolver: Resolver): boolean {
  const fn =
    node.type === 'CallExpression' ? resolver.abstractValueOf(node.callee, file) : undefined;
  if (fn?.kind !== 'function') return false;
  const place = placeOf(fn);
  const kept = resolver.inFile(fn.file, `${place.range.join('-')} asks`, (there, home) => {
    const [told, ...more] = returnedValues(home, nodeAt(place, home) as FunctionNode);
    const [asked, isThere] = told === undefined ? [] : questionIn(unwrap(told));
    return asked !== undefined && isThere && more.length === 0
      ? there.abstractValueOf(asked, home)
      : undefined;
  });
  return isAmbient(kept);
}
