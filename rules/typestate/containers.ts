import type { Node } from '../syntax/node.ts';
import type { CheckoutContext } from './checkout.ts';
import { outlivesFunction } from './outlives.ts';
import { escape, withAccessPath, type Fact } from './facts.ts';
import { keyName, unwrap } from '../syntax/source-file.ts';

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
          element === null ? before : take(before, String(index), element, context),
        fact,
      );
    default:
      return keep(fact, pattern, context);
  }
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
  const accessPath = context.accessPaths.accessPathOf(plain);
  if (accessPath === undefined || plain.type !== 'Identifier' || outlivesFunction(plain, context))
    return escape(fact);
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
