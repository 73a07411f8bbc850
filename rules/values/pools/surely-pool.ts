import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { methods } from '../../model/drivers.ts';
import type { Entity } from '../entities.ts';
import type { Resolver } from '../resolver.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  definitionOf,
  keyName,
  unwrap,
  variableOf,
  type SourceFile,
} from '../../syntax/source-file.ts';

type Pool = Entity & { readonly kind: 'pool' };

/**
 * The pool that an expression surely is. What may be a client in its place (`context.getStore() ?? pool`, a parameter with a pool
 * as its default) is none, and neither is a pool of one client, whose statements all meet on that client.
 */
export function surePool(node: Node, file: SourceFile, resolver: Resolver): Pool | undefined {
  const entity = resolver.entityOf(node, file);
  return entity?.kind === 'pool' &&
    !isChoice(node, file, resolver) &&
    !hasOneClient(entity) &&
    !hasOwnQuery(entity, resolver)
    ? entity
    : undefined;
}

const maximalDepth = 4;

function isChoice(node: Node, file: SourceFile, resolver: Resolver, depth = 0): boolean {
  const plain = unwrap(node);
  if (depth > maximalDepth) return true;
  switch (plain.type) {
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return !isAmongPools(plain, file);
    case 'AwaitExpression':
      return isChoice(plain.argument, file, resolver, depth + 1);
    case 'Identifier': {
      const definition = definitionOf(variableOf(file, plain));
      if (definition?.type === 'Parameter')
        return isDefaulted(plain, definition.node as Node, file);
      const declarator =
        definition?.type === 'Variable'
          ? (definition.node as unknown as TSESTree.VariableDeclarator)
          : undefined;
      return (
        declarator !== undefined &&
        declarator.init !== null &&
        declarator.id.type === 'Identifier' &&
        isChoice(declarator.init, file, resolver, depth + 1)
      );
    }
    case 'CallExpression':
      return givesChoice(plain, file, resolver);
    default:
      return false;
  }
}

/** `globalThis.pool ?? new Pool()`: both sides speak of pools. */
function isAmongPools(
  choice: TSESTree.LogicalExpression | TSESTree.ConditionalExpression,
  file: SourceFile,
): boolean {
  const sides =
    choice.type === 'ConditionalExpression'
      ? [choice.consequent, choice.alternate]
      : [choice.left, choice.right];
  return sides.every((side) => /pool/iu.test(file.text.slice(...side.range)));
}

/** `(name, db = pool)` */
function isDefaulted(name: TSESTree.Identifier, fn: Node, file: SourceFile): boolean {
  const declared = variableOf(file, name)?.identifiers[0] as unknown as Node | undefined;
  let isDefault = false;
  walk(file, fn, (node) => {
    isDefault ||= node.type === 'AssignmentPattern' && node.left === declared;
    return !isDefault;
  });
  return isDefault && !/pool/iu.test(name.name);
}

/** `getDb()`, which gives the client of the running transaction when there is one. */
function givesChoice(call: TSESTree.CallExpression, file: SourceFile, resolver: Resolver): boolean {
  const entity = resolver.entityOf(call.callee, file);
  return (
    entity?.kind === 'function' &&
    /getStore|client|conn(?!ectionString)|\bte?x\b|trx|transaction/iu.test(
      entity.file.text.slice(...entity.node.body.range).replace(/\.on\([^)]*/gu, ''),
    )
  );
}

/** `new Pool({ max: 1 })` */
export function hasOneClient({ origin }: Pool): boolean {
  const { node } = origin;
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
function hasOwnQuery({ origin: { node, file } }: Pool, resolver: Resolver): boolean {
  if (/\.query\s*=[^=]/u.test(file.text)) return true;
  let made = node.type === 'NewExpression' ? resolver.entityOf(node.callee, file) : undefined;
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
    made = superClass === null ? undefined : resolver.entityOf(superClass, made.file);
  }
  return false;
}
