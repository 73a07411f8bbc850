import type { TSESTree } from '@typescript-eslint/types';
import { requestScope } from '../model/containers.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import { isClass, type Node } from '../syntax/node.ts';
import { keyName, memberName, parentOf, unwrap } from '../syntax/source-file.ts';
import { enclosingBody } from '../summaries/pools-made.ts';
import type { Here } from '../values/resolver.ts';

/** The class, or the factory of a provider, whose value a container makes anew for each request, around a node. */
export function enclosingRequestScope(node: Node, here: Here): Node | undefined {
  const body = enclosingBody(node);
  if (body === undefined) return undefined;
  const options = isClass(body) ? optionsOfClass(body, here) : optionsOfFactory(body);
  return options.some((each) => isOfRequest(each, here)) ? body : undefined;
}

/** `@Injectable({ scope: Scope.REQUEST })` */
function optionsOfClass(
  node: Parameters<typeof decoratorsOf>[0],
  { file, resolver }: Here,
): readonly Node[] {
  return decoratorsOf(node).flatMap(({ expression }) => {
    const call = unwrap(expression);
    if (call.type !== 'CallExpression') return [];
    const abstractValue = resolver.abstractValueOf(call.callee, file);
    return abstractValue?.kind === 'package' && abstractValue.module === requestScope.module
      ? call.arguments
      : [];
  });
}

/** `{ provide: 'POOL', scope: Scope.REQUEST, useFactory: () => new Pool() }` */
function optionsOfFactory(fn: Node): readonly Node[] {
  const property = parentOf(fn);
  return property?.type === 'Property' && keyName(property.key, property.computed) === 'useFactory'
    ? [property.parent]
    : [];
}

/** With `durable` requests of one tenant share it. */
function isOfRequest(options: Node, { file, resolver }: Here): boolean {
  if (options.type !== 'ObjectExpression') return false;
  const scope = valueOf(options, 'scope');
  if (scope?.type !== 'MemberExpression' || memberName(scope) !== requestScope.member) return false;
  const abstractValue = resolver.abstractValueOf(scope.object, file);
  return (
    abstractValue?.kind === 'package' &&
    abstractValue.module === requestScope.module &&
    abstractValue.name === requestScope.name &&
    valueOf(options, 'durable') === undefined
  );
}

function valueOf({ properties }: TSESTree.ObjectExpression, key: string): Node | undefined {
  for (const each of properties)
    if (each.type === 'Property' && keyName(each.key, each.computed) === key) return each.value;
  return undefined;
}
