import { functionNamed } from './calls.ts';
import { isFunction, type FunctionNode, type Node } from './node.ts';
import {
  contains,
  definitionOf,
  keyName,
  parentOf,
  variableOf,
  type SourceFile,
  type Variable,
  referencesOf,
  unwrap,
} from './source-file.ts';

/** What a function takes by position: TypeScript's `this: Type` is none of it. */
export function paramsOf({ params }: FunctionNode): FunctionNode['params'] {
  const [first] = params;
  return first?.type === 'Identifier' && first.name === 'this' ? params.slice(1) : params;
}

/** What a parameter declares, its default left out: `a` for `a = 1`. */
export function declaredBy(param: Node | undefined): Node | undefined {
  return param?.type === 'AssignmentPattern' ? param.left : param;
}

/** The variable that gets the argument at a position; undefined where a pattern takes it apart. */
function parameterAt(fn: FunctionNode, index: number, file: SourceFile): Variable | undefined {
  const declared = declaredBy(paramsOf(fn)[index]);
  return variableOf(file, declared);
}

/** Where a function references that parameter. */
export function usesOfParameter(
  fn: FunctionNode,
  index: number,
  file: SourceFile,
): readonly Node[] {
  return referencesOf(parameterAt(fn, index, file));
}

/** The position of the parameter that a name stands for; -1 when it stands for none of this function. */
export function parameterIndex(name: Node, fn: FunctionNode, file: SourceFile): number {
  const declared = name.type === 'Identifier' ? variableOf(file, name)?.identifiers[0] : undefined;
  return declared === undefined
    ? -1
    : paramsOf(fn).findIndex((param) => declaredBy(param) === (declared as unknown as Node));
}

/** The position of the rest parameter that a spread passes on, `fn(...args)`; -1 when it passes none of this function. */
export function restIndex(passed: Node, fn: FunctionNode, file: SourceFile): number {
  const rest = restPassed(passed, file);
  return rest === undefined ? -1 : paramsOf(fn).findIndex((param) => param === rest);
}

/** `...args` of `function wrapper(...args)`, where a spread passes these on. */
export function restPassed(passed: Node, file: SourceFile): Node | undefined {
  if (passed.type !== 'SpreadElement' || !isParameterName(passed.argument, file)) return undefined;
  const declared = variableOf(file, passed.argument)?.identifiers[0] as Node | undefined;
  const up = declared && parentOf(declared);
  return up?.type === 'RestElement' && isFunction(parentOf(up) ?? up) ? up : undefined;
}

/** A name that some function's caller gives a value. */
export function isParameterName(node: Node, file: SourceFile): boolean {
  return node.type === 'Identifier' && definitionOf(variableOf(file, node))?.type === 'Parameter';
}

/** The parameter, of a function of this file, that gets an argument of a call. */
export function takenBy(
  argument: Node,
  call: Node | undefined,
  file: SourceFile,
): Node | undefined {
  if (call?.type !== 'CallExpression') return undefined;
  const index = call.arguments.findIndex((each) => unwrap(each) === argument);
  const fn = index === -1 ? undefined : functionNamed(call.callee, file);
  return fn && declaredBy(paramsOf(fn)[index]);
}

/** A name that a function's caller gives a value: an argument, or a part of it. */
export interface NamedParameter {
  readonly fn: FunctionNode;
  readonly parameter: FunctionNode['params'][number];
  readonly index: number;
  /** The key of the argument that the parameter takes apart; null where it is the argument itself. */
  readonly key: string | null;
}

/** `db` of `function createQueries(db)` or `function createQueries({ db })`. */
export function parameterNamed(name: Node, file: SourceFile): NamedParameter | undefined {
  const variable = variableOf(file, name);
  const definition = definitionOf(variable);
  const fn = definition?.node as Node | undefined;
  if (variable === undefined || definition?.type !== 'Parameter' || fn === undefined)
    return undefined;
  if (!isFunction(fn)) return undefined;
  const declared = variable.identifiers[0] as unknown as Node;
  const index = paramsOf(fn).findIndex((param) => contains(param, declared));
  const parameter = paramsOf(fn)[index];
  if (parameter === undefined) return undefined;
  const key = keyOfPart(declaredBy(parameter), declared);
  return key === undefined ? undefined : { fn, parameter, index, key };
}

function keyOfPart(pattern: Node | undefined, declared: Node): string | null | undefined {
  if (pattern === declared) return null;
  const property =
    pattern?.type === 'ObjectPattern'
      ? pattern.properties.find(({ value }) => declaredBy(value) === declared)
      : undefined;
  return property?.type === 'Property' ? keyName(property.key, property.computed) : undefined;
}

/** What a call gives such a parameter, as far as it is written there. */
export function partGiven(argument: Node, { key }: Pick<NamedParameter, 'key'>): Node | undefined {
  const plain = unwrap(argument);
  if (plain.type === 'SpreadElement') return undefined;
  if (key === null) return argument;
  if (plain.type !== 'ObjectExpression') return undefined;
  const property = plain.properties.find(
    (each) => each.type === 'Property' && keyName(each.key, each.computed) === key,
  );
  return property?.type === 'Property' ? property.value : undefined;
}
