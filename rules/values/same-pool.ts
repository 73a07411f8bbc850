import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass } from '../syntax/node.ts';
import type { Entity } from './entities.ts';
import { isSamePool } from './origins.ts';
import type { Resolver } from './resolver.ts';
import {
  findAncestor,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
} from '../syntax/source-file.ts';

/** An expression and the file that it stands in. */
export interface Place {
  readonly node: Node;
  readonly file: SourceFile;
}

/**
 * True only when two expressions surely stand for one pool. Where the resolver knows neither, as with an injected pool without
 * a type, the same name does: one variable that is written once, one member of it, one member of `this` in one class.
 */
export function isSamePoolAt(resolver: Resolver, a: Place, b: Place): boolean {
  const [first, second] = [resolver.entityOf(a.node, a.file), resolver.entityOf(b.node, b.file)];
  if (first !== undefined && second !== undefined && isSamePool(first, second)) return true;
  return (
    isNamedOnly(first, a, resolver) &&
    isNamedOnly(second, b, resolver) &&
    a.file === b.file &&
    isSameName(unwrap(a.node), unwrap(b.node), a.file)
  );
}

/** Nothing is known of it, or only the type that a call of something gives whose code cannot be read: `db.pool()`. */
function isNamedOnly(
  entity: Entity | undefined,
  { node, file }: Place,
  resolver: Resolver,
): boolean {
  if (entity === undefined) return true;
  const call = unwrap(node);
  return (
    entity.kind === 'pool' &&
    entity.origin.node === call &&
    call.type === 'CallExpression' &&
    resolver.entityOf(call.callee, file)?.kind !== 'function'
  );
}

function isSameName(a: Node, b: Node, file: SourceFile): boolean {
  if (a.type === 'ThisExpression') return b.type === 'ThisExpression' && isSameThis(a, b);
  if (a.type === 'Identifier') return b.type === 'Identifier' && isSameVariable(a, b, file);
  if (a.type === 'CallExpression')
    return (
      b.type === 'CallExpression' &&
      isGetter(a) &&
      isGetter(b) &&
      isSameName(unwrap(a.callee), unwrap(b.callee), file)
    );
  return a.type === 'MemberExpression' && b.type === 'MemberExpression' && isSameMember(a, b, file);
}

function isSameThis(a: Node, b: Node): boolean {
  const own = findAncestor(a, isClass);
  return own !== undefined && own === findAncestor(b, isClass);
}

function isSameMember(
  a: TSESTree.MemberExpression,
  b: TSESTree.MemberExpression,
  file: SourceFile,
): boolean {
  const name = memberName(a);
  return (
    name !== undefined &&
    name === memberName(b) &&
    isSameName(unwrap(a.object), unwrap(b.object), file)
  );
}

/** `getPool()`, `this.pool()`: asks for what is there. Names such as `createPool` say that each call makes another one. */
function isGetter({ callee, arguments: given }: TSESTree.CallExpression): boolean {
  const name =
    callee.type === 'MemberExpression'
      ? memberName(callee)
      : callee.type === 'Identifier'
        ? callee.name
        : undefined;
  return (
    given.length === 0 &&
    name !== undefined &&
    !/^_*(?:create|make|new|build|open|init|start|acquire|checkout|next|pick|choose)/iu.test(name)
  );
}

function isSameVariable(a: Node, b: Node, file: SourceFile): boolean {
  const variable = variableOf(file, a);
  if (variable === undefined || variable.defs.length !== 1 || variable !== variableOf(file, b))
    return false;
  return writesTo(variable).length <= (hasInitial(variable.defs[0]?.node) ? 0 : 1);
}

function hasInitial(definition: unknown): boolean {
  return (definition as { init?: unknown } | undefined)?.init !== null;
}
