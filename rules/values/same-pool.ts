import type { TSESTree } from '@typescript-eslint/types';
import { calledMember } from '../syntax/call-chain.ts';
import { type Node, isClass, type CallNode } from '../syntax/node.ts';
import type { AbstractValue } from './abstract-values.ts';
import { handleAt } from './handles.ts';
import { isSamePool } from './allocation-sites.ts';
import { isUnknown } from './unknown-parent.ts';
import type { Resolver } from './resolver.ts';
import {
  definitionOf,
  findAncestor,
  memberName,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  declarationOf,
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
  const [first, second] = [
    resolver.abstractValueOf(a.node, a.file),
    resolver.abstractValueOf(b.node, b.file),
  ];
  const one = handleAt(a.node, a.file, resolver) ?? first;
  if (isSamePool(one, handleAt(b.node, b.file, resolver) ?? second)) return true;
  return (
    isNamedOnly(first, a, resolver) &&
    isNamedOnly(second, b, resolver) &&
    (a.file === b.file
      ? isSameName(unwrap(a.node), unwrap(b.node), a.file)
      : isSameImport(a, b, resolver))
  );
}

/** One of them, or each, is made apart from the other: `em.fork()`. */
export function isOtherHandle(a: Place, b: Place, resolver: Resolver): boolean {
  return madeApart(a, resolver) !== madeApart(b, resolver);
}

/** The call that makes a handle apart from others of its pool, by way of variables that are set once. */
function madeApart({ node, file }: Place, resolver: Resolver): Node | undefined {
  const plain = unwrap(node);
  if (plain.type === 'Identifier') {
    const definition = declarationOf(variableOf(file, plain));
    return definition?.type === 'VariableDeclarator' &&
      definition.init !== null &&
      definition.parent.kind === 'const'
      ? madeApart({ node: definition.init, file }, resolver)
      : undefined;
  }
  const name = plain.type === 'CallExpression' ? calledMember(plain) : undefined;
  const apart = handleAt(plain, file, resolver)?.library.derives.apart;
  return name !== undefined && apart?.methods.includes(name) === true ? plain : undefined;
}

/** Whatever a module exports under a name is one thing for all who import it. */
function isSameImport(a: Place, b: Place, resolver: Resolver): boolean {
  const [one, other] = [importAt(a, resolver), importAt(b, resolver)];
  return one !== undefined && one === other;
}

/** The module and the name that a name is imported from. */
function importAt({ node, file }: Place, { reader }: Resolver): string | undefined {
  const plain = unwrap(node);
  const definition = definitionOf(variableOf(file, plain));
  if (definition?.type !== 'ImportBinding') return undefined;
  const specifier = definition.node as TSESTree.ImportClause;
  const from = specifier.parent;
  const name = specifier.type === 'ImportSpecifier' ? nameIn(specifier.imported) : specifier.type;
  if (from.type !== 'ImportDeclaration') return undefined;
  const source = from.source.value;
  const path = reader.read(source, file)?.path ?? (source.startsWith('.') ? undefined : source);
  return path && `${path} ${name}`;
}

function nameIn(name: TSESTree.Identifier | TSESTree.StringLiteral): string {
  return name.type === 'Identifier' ? name.name : name.value;
}

/** Nothing is known of it, or only the type that a call of something gives whose code cannot be read: `db.pool()`. */
function isNamedOnly(
  abstractValue: AbstractValue | undefined,
  { node, file }: Place,
  resolver: Resolver,
): boolean {
  if (abstractValue === undefined || isUnknown(abstractValue, resolver)) return true;
  const call = unwrap(node);
  return (
    (abstractValue.kind === 'pool' || abstractValue.kind === 'handle') &&
    abstractValue.site.node === call &&
    call.type === 'CallExpression' &&
    resolver.abstractValueOf(call.callee, file)?.kind !== 'function'
  );
}

function isSameName(a: Node, b: Node, file: SourceFile): boolean {
  if (a.type === 'ThisExpression') return b.type === 'ThisExpression' && isSameThis(a, b);
  if (a.type === 'Identifier') return b.type === 'Identifier' && isSameVariable(a, b, file);
  if (a.type === 'CallExpression') return b.type === 'CallExpression' && isSameGetter(a, b, file);
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

/** `db.pool()`, `this.getPool()`: a pool that is spoken to on the spot and that no variable keeps is kept by the object that gives it, because nobody else could end it. */
function isSameGetter(a: CallNode, b: CallNode, file: SourceFile): boolean {
  const [first, second] = [unwrap(a.callee), unwrap(b.callee)];
  return (
    a.arguments.length === 0 &&
    b.arguments.length === 0 &&
    first.type === 'MemberExpression' &&
    second.type === 'MemberExpression' &&
    isSameMember(first, second, file)
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
