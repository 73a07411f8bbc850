import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { keyName, type SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import { implementationOf } from './implementations.ts';
import { abstractValueOfType, heritageValue } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';

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
