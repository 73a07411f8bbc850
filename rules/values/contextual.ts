import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import { findAncestor, keyName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import { nodeAt, placeOf } from './apart.ts';
import type { Entity } from './entities.ts';
import { entityOfType } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';

/** What a parameter without a type is by the type that its function is expected to have: `const work: Work = ({ db }) => …`. */
export function givenByContext(
  parameter: Node,
  resolver: Resolver,
  file: SourceFile,
): Entity | undefined {
  const fn = parentOf(parameter);
  if (fn === undefined || !isFunction(fn) || fn.type === 'FunctionDeclaration') return undefined;
  const index = paramsOf(fn).findIndex((each) => each === parameter);
  const declared = declaredBy(parameter);
  const isPlain = declared?.type === 'Identifier' || declared?.type === 'ObjectPattern';
  return isPlain && !declared.typeAnnotation
    ? parameterOf(expectedAt(fn, resolver, file), index, resolver)
    : undefined;
}

/** What the value of an expression is expected to be where that stands. */
function expectedAt(node: Node, resolver: Resolver, file: SourceFile): Entity | undefined {
  const up = parentOf(node);
  switch (up?.type) {
    case 'VariableDeclarator':
      return annotated(up.id, resolver, file);
    case 'PropertyDefinition':
      return typed(up.typeAnnotation, resolver, file);
    case 'AssignmentPattern':
      return up.right === node ? annotated(up.left, resolver, file) : undefined;
    case 'TSSatisfiesExpression':
    case 'TSAsExpression':
      return entityOfType(resolver, up.typeAnnotation, file);
    case 'Property':
      return up.value === node ? expectedOfMember(up, resolver, file) : undefined;
    case 'CallExpression':
      return expectedOfArgument(up, node, resolver, file);
    case 'ReturnStatement':
      return typed(findAncestor(up, isFunction)?.returnType, resolver, file);
    case 'ArrowFunctionExpression':
      return up.body === node ? typed(up.returnType, resolver, file) : undefined;
    default:
      return undefined;
  }
}

function typed(
  annotation: TSESTree.TSTypeAnnotation | null | undefined,
  resolver: Resolver,
  file: SourceFile,
): Entity | undefined {
  return annotation ? entityOfType(resolver, annotation.typeAnnotation, file) : undefined;
}

function annotated(declared: Node, resolver: Resolver, file: SourceFile): Entity | undefined {
  return 'typeAnnotation' in declared && declared.typeAnnotation?.type === 'TSTypeAnnotation'
    ? typed(declared.typeAnnotation, resolver, file)
    : undefined;
}

/** `const handlers: Handlers = { work: ({ db }) => … }` */
function expectedOfMember(
  { key, computed, parent }: TSESTree.Property,
  resolver: Resolver,
  file: SourceFile,
): Entity | undefined {
  const name = keyName(key, computed);
  const whole = name === undefined ? undefined : expectedAt(parent, resolver, file);
  return whole?.kind === 'shape' && name !== undefined ? resolver.memberOf(whole, name) : undefined;
}

/** `run(({ db }) => …)` of `function run(work: Work)` */
function expectedOfArgument(
  { callee, arguments: args }: TSESTree.CallExpression,
  node: Node,
  resolver: Resolver,
  file: SourceFile,
): Entity | undefined {
  const index = args.findIndex((each) => each === node);
  return index === -1 || args.slice(0, index).some(({ type }) => type === 'SpreadElement')
    ? undefined
    : parameterOf(resolver.entityOf(callee, file), index, resolver);
}

type Typed = Extract<Entity, { readonly kind: 'function' | 'signature' | 'shape' }>;

/** What the type of a function's parameter says, wherever that is written. */
function parameterOf(
  entity: Entity | undefined,
  index: number,
  resolver: Resolver,
): Entity | undefined {
  if (entity?.kind !== 'function' && entity?.kind !== 'signature' && entity?.kind !== 'shape')
    return undefined;
  const place = placeOf(entity satisfies Typed);
  const question = `${place.type} ${place.range.join('-')} takes ${String(index)}`;
  return resolver.inFile(entity.file, question, (there, home) => {
    const declared = declaredBy(paramsIn(nodeAt(place, home))[index]);
    return declared && annotated(declared, there, home);
  });
}

/** The parameters of a function, or of a type of functions. */
function paramsIn(node: Node): readonly Node[] {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
      return paramsOfCalls(node.body.body);
    case 'TSTypeLiteral':
      return paramsOfCalls(node.members);
    case 'TSFunctionType':
    case 'TSMethodSignature':
    case 'TSEmptyBodyFunctionExpression':
      return paramsOf(node as unknown as FunctionNode);
    default:
      return isFunction(node) ? paramsOf(node) : [];
  }
}

/** `interface Work { (db: Knex): void }` that can be called in one way. */
function paramsOfCalls(members: readonly TSESTree.TypeElement[]): readonly Node[] {
  const [only, ...more] = members.filter(({ type }) => type === 'TSCallSignatureDeclaration');
  return only?.type === 'TSCallSignatureDeclaration' && more.length === 0
    ? paramsOf(only as unknown as FunctionNode)
    : [];
}
