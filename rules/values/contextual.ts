import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import {
  findAncestor,
  keyName,
  parentOf,
  referencesTo,
  type SourceFile,
} from '../syntax/source-file.ts';
import { nodeAt, placeOf } from './apart.ts';
import { isAlike, type AbstractValue } from './abstract-values.ts';
import { abstractValueOfType } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';

/** What a parameter without a type is: by the type that its function is expected to have, `const work: Work = ({ db }) => …`, or by what the function that it is given to calls it with. */
export function givenByContext(
  parameter: Node,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  const fn = parentOf(parameter);
  if (fn === undefined || !isFunction(fn) || fn.type === 'FunctionDeclaration') return undefined;
  const index = paramsOf(fn).findIndex((each) => each === parameter);
  const declared = declaredBy(parameter);
  const isPlain = declared?.type === 'Identifier' || declared?.type === 'ObjectPattern';
  return isPlain && !declared.typeAnnotation
    ? (parameterOf(expectedAt(fn, resolver, file), index, resolver) ??
        calledWith(fn, index, resolver, file))
    : undefined;
}

/** What may be told apart without knowing who owns it: a client or a transaction is lent, and followed as such. */
const plainKinds: ReadonlySet<string> = new Set(['package', 'pool', 'instance']);

/** `withCache((redis) => …)` of `const withCache = (work) => work(redis)` */
function calledWith(
  fn: Node,
  index: number,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  const call = parentOf(fn);
  if (call?.type !== 'CallExpression') return undefined;
  const position = positionIn(call, fn);
  const callee = position === -1 ? undefined : resolver.abstractValueOf(call.callee, file);
  if (callee?.kind !== 'function') return undefined;
  const place = placeOf(callee);
  const question = `${place.range.join('-')} calls ${String(position)} with ${String(index)}`;
  return resolver.inFile(callee.file, question, (there, home) => {
    const parameter = paramsIn(nodeAt(place, home))[position];
    const given = parameter === undefined ? [] : givenTo(parameter, index, home);
    const [first, ...more] = given.map((each) => there.abstractValueOf(each, home));
    return first !== undefined &&
      plainKinds.has(first.kind) &&
      more.every((each) => each !== undefined && isAlike(each, first))
      ? first
      : undefined;
  });
}

/** The argument at an index of each call of a parameter. */
function givenTo(parameter: Node, index: number, file: SourceFile): readonly Node[] {
  return referencesTo(parameter, file).flatMap((each) => {
    const call = parentOf(each);
    const isCall = call?.type === 'CallExpression' && call.callee === each;
    return (isCall ? argumentsBeforeSpread(call)[index] : undefined) ?? [];
  });
}

/** The index of an argument; -1 where a spread before it hides that. */
function positionIn(call: TSESTree.CallExpression, argument: Node): number {
  return argumentsBeforeSpread(call).findIndex((each) => each === argument);
}

function argumentsBeforeSpread({ arguments: args }: TSESTree.CallExpression): readonly Node[] {
  const spread = args.findIndex(({ type }) => type === 'SpreadElement');
  return spread === -1 ? args : args.slice(0, spread);
}

/** What the value of an expression is expected to be where that stands. */
function expectedAt(node: Node, resolver: Resolver, file: SourceFile): AbstractValue | undefined {
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
      return abstractValueOfType(resolver, up.typeAnnotation, file);
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
): AbstractValue | undefined {
  return annotation ? abstractValueOfType(resolver, annotation.typeAnnotation, file) : undefined;
}

function annotated(
  declared: Node,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  return 'typeAnnotation' in declared && declared.typeAnnotation?.type === 'TSTypeAnnotation'
    ? typed(declared.typeAnnotation, resolver, file)
    : undefined;
}

/** `const handlers: Handlers = { work: ({ db }) => … }` */
function expectedOfMember(
  { key, computed, parent }: TSESTree.Property,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  const name = keyName(key, computed);
  const whole = name === undefined ? undefined : expectedAt(parent, resolver, file);
  return whole?.kind === 'shape' && name !== undefined ? resolver.memberOf(whole, name) : undefined;
}

/** `run(({ db }) => …)` of `function run(work: Work)` */
function expectedOfArgument(
  call: TSESTree.CallExpression,
  node: Node,
  resolver: Resolver,
  file: SourceFile,
): AbstractValue | undefined {
  const index = positionIn(call, node);
  return index === -1
    ? undefined
    : parameterOf(resolver.abstractValueOf(call.callee, file), index, resolver);
}

type Typed = Extract<AbstractValue, { readonly kind: 'function' | 'signature' | 'shape' }>;

/** What the type of a function's parameter says, wherever that is written. */
function parameterOf(
  abstractValue: AbstractValue | undefined,
  index: number,
  resolver: Resolver,
): AbstractValue | undefined {
  if (
    abstractValue?.kind !== 'function' &&
    abstractValue?.kind !== 'signature' &&
    abstractValue?.kind !== 'shape'
  )
    return undefined;
  const place = placeOf(abstractValue satisfies Typed);
  const question = `${place.type} ${place.range.join('-')} takes ${String(index)}`;
  return resolver.inFile(abstractValue.file, question, (there, home) => {
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
