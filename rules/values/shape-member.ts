import type { TSESTree } from '@typescript-eslint/types';
import {
  type Node,
  isClass,
  isFunction,
  type ClassNode,
  type FunctionNode,
} from '../syntax/node.ts';
import { keyName, type SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import { abstractValueOfType, heritageValue } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { walk } from '../syntax/preorder.ts';

/** A property or method of an interface or an object type, its own or inherited. */
export function shapeMember(
  resolver: Resolver,
  { node, file }: AbstractValue & { kind: 'shape' },
  name: string,
): AbstractValue | undefined {
  for (const member of membersIn(node)) {
    if (
      (member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') ||
      keyName(member.key, member.computed) !== name
    )
      continue;
    const implementation = implementationOf(resolver, node, name, file);
    if (implementation !== undefined) return implementation;
    if (member.type === 'TSMethodSignature')
      return { kind: 'signature', node: member, returns: member.returnType?.typeAnnotation, file };
    return member.typeAnnotation
      ? abstractValueOfType(resolver, member.typeAnnotation.typeAnnotation, file)
      : undefined;
  }
  return node.type === 'TSUnionType'
    ? memberOfOne(resolver, node, name, file)
    : firstMember(resolver, parentsOf(resolver, node, file), name);
}

function membersIn(node: Node): readonly TSESTree.TypeElement[] {
  if (node.type === 'TSInterfaceDeclaration') return node.body.body;
  return node.type === 'TSTypeLiteral' ? node.members : [];
}

/** The member that just one part of a union is known to have. */
function memberOfOne(
  resolver: Resolver,
  { types }: TSESTree.TSUnionType,
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  const members = types.flatMap(
    (type) => firstMember(resolver, [abstractValueOfType(resolver, type, file)], name) ?? [],
  );
  return members.length === 1 || members.every(({ kind }) => kind === 'pool')
    ? members[0]
    : undefined;
}

function parentsOf(
  resolver: Resolver,
  node: Node,
  file: SourceFile,
): readonly (AbstractValue | undefined)[] {
  if (node.type === 'TSIntersectionType')
    return node.types.map((each) => abstractValueOfType(resolver, each, file));
  return node.type === 'TSInterfaceDeclaration'
    ? node.extends.map((heritage) => heritageValue(resolver, heritage, file))
    : [];
}

function firstMember(
  resolver: Resolver,
  objects: readonly (AbstractValue | undefined)[],
  name: string,
): AbstractValue | undefined {
  for (const object of objects) {
    const member = object === undefined ? undefined : resolver.memberOf(object, name);
    if (member !== undefined) return member;
  }
  return undefined;
}

type Implementation = AbstractValue & { readonly kind: 'function' };

/**
 * The method that stands behind one of an interface: beside the interface one class implements it, or one function gives it as an
 * object, and the package does so nowhere else. Undefined where the package is not looked through.
 */
function implementationOf(
  resolver: Resolver,
  type: Node,
  method: string,
  file: SourceFile,
): Implementation | undefined {
  const name = nameOf(type, file);
  if (name === undefined) return undefined;
  const [only, ...more] = implementersIn(file).get(name) ?? [];
  if (only === undefined || more.length > 0 || !isOnly(name, file, resolver)) return undefined;
  const object = objectOf(only, file, resolver);
  const member = object && resolver.memberOf(object, method);
  return member?.kind === 'function' ? member : undefined;
}

function objectOf(
  node: ClassNode | FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): AbstractValue | undefined {
  if (isClass(node)) return { kind: 'instance', node, file, site: undefined };
  const given = resolver.returnedBy({ node, file });
  return given?.kind === 'instance' || given?.kind === 'object' ? given : undefined;
}

/** Types do not know what is around them. */
function nameOf(type: Node, { ast }: SourceFile): string | undefined {
  if (type.type === 'TSInterfaceDeclaration') return type.id.name;
  for (const each of ast.body) {
    const declared = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
    if (declared?.type === 'TSTypeAliasDeclaration' && declared.typeAnnotation === type)
      return declared.id.name;
  }
  return undefined;
}

/** The classes and functions of a file by the names of the types that they implement, or whose value they give. */
const implementersIn = oncePerTree(
  (file): ReadonlyMap<string, readonly (ClassNode | FunctionNode)[]> => {
    const byName = new Map<string, (ClassNode | FunctionNode)[]>();
    walk(file, file.ast, (node) => {
      if (isClass(node) || isFunction(node))
        for (const name of implementedBy(node))
          byName.set(name, [...(byName.get(name) ?? []), node]);
      return true;
    });
    return byName;
  },
);

function implementedBy(node: ClassNode | FunctionNode): readonly string[] {
  if (isClass(node))
    return node.implements.flatMap(({ expression }) =>
      expression.type === 'Identifier' ? expression.name : [],
    );
  const type = node.returnType?.typeAnnotation;
  return type === undefined ? [] : [referredTo(type) ?? ''];
}

/** `Service` and `Promise<Service>` */
function referredTo(type: TSESTree.TypeNode): string | undefined {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
  const [first] = type.typeArguments?.params ?? [];
  return type.typeName.name === 'Promise' && first !== undefined
    ? referredTo(first)
    : type.typeName.name;
}

/** Nothing else in the package implements a type of this name, or gives or declares a value of it that it spells. */
function isOnly(name: string, file: SourceFile, { reader }: Resolver): boolean {
  const texts = reader.texts?.implementing.inPackage(file.path);
  const spelled = new RegExp(
    String.raw`\bimplements\b[^{]*\b${name}\b|\)\s*:\s*(?:Promise<\s*)?${name}\b\s*>?\s*(?:=>|\{)|:\s*${name}\s*=[^>]|\b(?:as|satisfies)\s+${name}\b`,
    'gu',
  );
  const count = texts
    ?.filter((text) => text.includes(name))
    .reduce((sum, text) => sum + [...text.matchAll(spelled)].length, 0);
  return count !== undefined && count <= 1;
}
