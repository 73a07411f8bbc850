import type { Node } from '../syntax/node.ts';
import type { Use } from '../syntax/uses.ts';
import { isIndex, isInList, type Shape } from './acquisition.ts';
import type { CheckoutContext } from './checkout.ts';
import { outlivesFunction } from './outlives.ts';
import { escape, withAccessPath, type Fact } from './facts.ts';
import { keyName, parentOf, unwrap } from '../syntax/source-file.ts';

/** `const { client, release } = await getClient()`, `const [client, done] = …`, or `const connection = …` with `connection.release()` later. */
export function unpack(fact: Fact, pattern: Node, context: CheckoutContext): Fact {
  const { shape } = context.acquisition;
  if (shape === undefined) return fact;
  switch (pattern.type) {
    case 'ObjectPattern':
      return pattern.properties.reduce(
        (before, property) =>
          property.type === 'Property'
            ? take(before, keyName(property.key, property.computed), property.value, context)
            : escape(before),
        fact,
      );
    case 'ArrayPattern':
      return pattern.elements.reduce(
        (before, element, index) =>
          element === null
            ? before
            : element.type === 'RestElement'
              ? takeRest(before, index, shape)
              : take(before, String(index), element, context),
        fact,
      );
    default:
      return keep(fact, pattern, context);
  }
}

/** `const [first, ...others] = …` */
function takeRest(fact: Fact, from: number, shape: Shape): Fact {
  return [...shape.keys()].some((key) => Number(key) >= from) ? escape(fact) : fact;
}

function take(
  fact: Fact,
  key: string | undefined,
  target: Node,
  { acquisition: { shape }, accessPaths }: CheckoutContext,
): Fact {
  const role = key === undefined ? undefined : shape?.get(key);
  const accessPath = accessPaths.accessPathOf(
    target.type === 'AssignmentPattern' ? target.left : target,
  );
  return role === undefined || accessPath === undefined
    ? fact
    : withAccessPath(fact, accessPath, role);
}

function keep(fact: Fact, target: Node, context: CheckoutContext): Fact {
  const plain = unwrap(target);
  return plain.type !== 'Identifier' || outlivesFunction(plain, context)
    ? escape(fact)
    : heldIn(fact, plain, context);
}

/** The object or array with the client in it has a name. */
export function heldIn(fact: Fact, name: Node, context: CheckoutContext): Fact {
  const accessPath = context.accessPaths.accessPathOf(name);
  if (accessPath === undefined) return escape(fact);
  const parts = [...(context.acquisition.shape ?? [])];
  return parts.reduce(
    (before, [key, role]) =>
      withAccessPath(
        before,
        context.accessPaths.intern({ kind: 'member', object: accessPath, name: key }),
        role,
      ),
    withAccessPath(fact, accessPath, 'container'),
  );
}

/** `all.forEach(…)`, `all[index]`, `for (const client of all)`: which of the clients of an array that is, is not followed. */
export function opensList(node: Node, use: Use, { acquisition }: CheckoutContext): boolean {
  if (!isInList(acquisition)) return false;
  if (use.kind === 'receiver') return !isIndex(use.member ?? '') && use.member !== 'length';
  const up = parentOf(node);
  return up?.type === 'ForOfStatement' && up.right === node;
}
