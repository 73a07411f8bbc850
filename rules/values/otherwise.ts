import type { FunctionNode, Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isMethodCall, maximalDepth, sideIn, valuesOf } from './executor.ts';

/**
 * What serves where the caller gives nothing in place of it: `pool` of `given ?? pool`, and of a variable or a call's result that
 * begins with that; undefined where it does not show.
 */
export function otherwiseOf(
  node: Node,
  fn: FunctionNode,
  file: SourceFile,
  depth = 0,
): Node | undefined {
  const plain = unwrap(node);
  if (depth > maximalDepth) return undefined;
  switch (plain.type) {
    case 'AwaitExpression':
      return otherwiseOf(plain.argument, fn, file, depth + 1);
    case 'CallExpression':
      return isMethodCall(plain)
        ? otherwiseOf(plain.callee.object, fn, file, depth + 1)
        : undefined;
    case 'LogicalExpression':
      return otherThanGiven([plain.left, plain.right], fn, file, depth);
    case 'ConditionalExpression':
      return otherThanGiven([plain.consequent, plain.alternate], fn, file, depth);
    case 'Identifier': {
      const values = valuesOf(plain, file);
      const [only] = values;
      return values.length === 1 && only !== undefined
        ? otherwiseOf(only, fn, file, depth + 1)
        : otherThanGiven(values, fn, file, depth);
    }
    default:
      return undefined;
  }
}

/** The other of two, when one of them is what is given: `pool` also where `given` is set to `given ?? pool`. */
function otherThanGiven(
  nodes: readonly Node[],
  fn: FunctionNode,
  file: SourceFile,
  depth: number,
): Node | undefined {
  const others = nodes.filter((each) => sideIn(each, fn, file) === undefined);
  const [other] = others;
  if (other === undefined || others.length !== 1 || nodes.length !== 2) return undefined;
  return otherwiseOf(other, fn, file, depth + 1) ?? other;
}
