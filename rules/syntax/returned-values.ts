import { isFunction, type FunctionNode, type Node } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import { walk } from './preorder.ts';
import type { SourceFile } from './source-file.ts';

const returnsByFunction = oncePerTree(() => new Map<FunctionNode, readonly Node[]>());

/** What the `return`s of a function give back. */
export function returnedValues(file: SourceFile, fn: FunctionNode): readonly Node[] {
  const known = returnsByFunction(file);
  const values = known.get(fn) ?? returnsIn(file, fn);
  known.set(fn, values);
  return values;
}

function returnsIn(file: SourceFile, fn: FunctionNode): readonly Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const values: Node[] = [];
  walk(file, fn.body, (each) => {
    if (each.type === 'ReturnStatement' && each.argument !== null) values.push(each.argument);
    return !isFunction(each);
  });
  return values;
}
