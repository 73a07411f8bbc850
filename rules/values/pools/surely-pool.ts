import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { methods } from '../../model/drivers.ts';
import { assignedIn } from '../assigned.ts';
import type { AbstractValue } from '../abstract-values.ts';
import { isNothing } from '../../syntax/constants.ts';
import { isSamePool } from '../allocation-sites.ts';
import { returnedValues } from '../../syntax/returned-values.ts';
import type { Resolver } from '../resolver.ts';
import {
  definitionOf,
  keyName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
} from '../../syntax/source-file.ts';

type Pool = AbstractValue & { readonly kind: 'pool' };

/**
 * The pool that an expression surely is. What may be a client in its place (`context.getStore() ?? pool`, a parameter with a pool
 * as its default) is none, and neither is a pool of one client, whose statements all meet on that client.
 */
export function surePool(node: Node, file: SourceFile, resolver: Resolver): Pool | undefined {
  const abstractValue = resolver.abstractValueOf(node, file);
  return abstractValue?.kind === 'pool' &&
    isNothingElse(node, file, resolver) &&
    !hasOneClient(abstractValue) &&
    !hasOwnQuery(abstractValue, resolver)
    ? abstractValue
    : undefined;
}

const maximalDepth = 4;

/** Whether all that an expression may be is a pool: each value of a variable, each thing that a function gives back. */
function isNothingElse(node: Node, file: SourceFile, resolver: Resolver, depth = 0): boolean {
  const plain = unwrap(node);
  if (isNothing(plain)) return true;
  if (depth > maximalDepth || resolver.abstractValueOf(plain, file)?.kind !== 'pool') return false;
  const areNothingElse = (values: readonly Node[], where: SourceFile): boolean =>
    values.every((value) => isNothingElse(value, where, resolver, depth + 1));
  switch (plain.type) {
    case 'AwaitExpression':
      return isNothingElse(plain.argument, file, resolver, depth + 1);
    case 'Identifier':
      return areNothingElse(valuesOf(plain, file), file);
    case 'CallExpression': {
      const fn = resolver.abstractValueOf(plain.callee, file);
      return fn?.kind !== 'function' || areNothingElse(returnedValues(fn.file, fn.node), fn.file);
    }
    default:
      return true;
  }
}

/** What a variable of the file is set to, as far as that is written down. */
function valuesOf(name: TSESTree.Identifier, file: SourceFile): readonly Node[] {
  const variable = variableOf(file, name);
  const definition = definitionOf(variable);
  if (variable === undefined || definition?.type !== 'Variable') return [];
  const { id, init } = definition.node as unknown as TSESTree.VariableDeclarator;
  return id.type === 'Identifier' ? [...(init === null ? [] : [init]), ...writesTo(variable)] : [];
}

/** `new Pool({ max: 1 })` */
export function hasOneClient({ site }: Pool): boolean {
  const { node } = site;
  const [config] = node.type === 'NewExpression' ? node.arguments : [];
  if (config?.type !== 'ObjectExpression') return false;
  return config.properties.some(
    (each) =>
      each.type === 'Property' &&
      keyName(each.key, each.computed) === 'max' &&
      each.value.type === 'Literal' &&
      each.value.value === 1,
  );
}

/** `class TracedPool extends Pool { query() { … } }`, `pool.query = …`: what it does with a text is its own matter. */
function hasOwnQuery(pool: Pool, resolver: Resolver): boolean {
  const { node, file } = pool.site;
  const isSet = (assignedIn(file).byName.get(methods.query) ?? []).some(({ object }) => {
    const abstractValue = resolver.abstractValueOf(object, file);
    return abstractValue === undefined || isSamePool(abstractValue, pool);
  });
  if (isSet) return true;
  let made =
    node.type === 'NewExpression' ? resolver.abstractValueOf(node.callee, file) : undefined;
  for (let depth = 0; made?.kind === 'class' && depth < maximalDepth; depth++) {
    const { superClass, body } = made.node;
    if (
      body.body.some(
        (member) =>
          (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') &&
          keyName(member.key, member.computed) === methods.query,
      )
    )
      return true;
    made = superClass === null ? undefined : resolver.abstractValueOf(superClass, made.file);
  }
  return false;
}
