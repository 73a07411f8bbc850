import type { TSESTree } from '@typescript-eslint/types';
import {
  isClass,
  isFunction,
  type ClassNode,
  type FunctionNode,
  type Node,
} from '../syntax/node.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { walk } from '../syntax/preorder.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

type Implementation = AbstractValue & { readonly kind: 'function' };

/**
 * The method that stands behind one of an interface: beside the interface one class implements it, or one function gives it as an
 * object, and the package does so nowhere else. Undefined where the package is not looked through.
 */
export function implementationOf(
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
