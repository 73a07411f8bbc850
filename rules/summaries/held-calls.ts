import type { TSESTree } from '@typescript-eslint/types';
import {
  type ClassNode,
  type FunctionNode,
  type Node,
  isClass,
  isFunction,
  type CallNode,
} from '../syntax/node.ts';
import { declaredBy } from '../syntax/parameters.ts';
import {
  contains,
  findAncestor,
  keyName,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { walk } from '../syntax/preorder.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import type { Resolver } from '../values/resolver.ts';
import { constantAt, type Given, type HeldPaths } from './held-paths.ts';

/** Code that holds connections. */
export interface HoldingCode {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly paths: HeldPaths;
  /** What is given to the function around it by `this`. */
  readonly ofThis: readonly Given[];
}

/** A call of a function that is given connections. */
export interface HeldCall {
  readonly fn: KnownFunction;
  readonly given: readonly (Given & { readonly by: Node })[];
}

type By = HeldCall['given'][number];

/** What the function that is called is given: by arguments, by those of the call that made it, or by the object that it is a method of. */
export function heldCallAt(call: CallNode, code: HoldingCode): HeldCall | undefined {
  const given = givenIn(call.arguments, 0, code);
  const callee = unwrap(call.callee);
  if (given.length === 0 && !mayCapture(callee, code)) return undefined;
  const abstractValue = code.resolver.abstractValueOf(callee, code.file);
  if (abstractValue?.kind !== 'function') return undefined;
  const all = [...given, ...captured(callee, abstractValue, code)];
  return all.length === 0 ? undefined : { fn: abstractValue, given: all };
}

function givenIn(args: readonly Node[], level: number, code: HoldingCode): readonly By[] {
  return args.flatMap((argument, index) =>
    partsOf(argument, code).map((part): By => ({ level, index, ...part })),
  );
}

/** An argument, or what it has under its keys. */
function partsOf(
  argument: Node,
  { paths }: HoldingCode,
): readonly Pick<By, 'key' | 'held' | 'by'>[] {
  if (argument.type === 'SpreadElement' || isFunction(argument)) return [];
  const held = paths.at(argument);
  if (held !== undefined) return [{ key: undefined, held, by: argument }];
  return paths.keysOf(argument).flatMap((key) => {
    const part = paths.member(argument, key);
    return part === undefined ? [] : [{ key, held: part, by: memberIn(argument, key) }];
  });
}

/** The value of a key in an object that is written in place; else the object. */
function memberIn(object: Node, key: string): Node {
  if (object.type !== 'ObjectExpression') return object;
  const property = object.properties.find(
    (each) => each.type === 'Property' && keyName(each.key, each.computed) === key,
  );
  return property?.type === 'Property' ? property.value : object;
}

/** What is called was made by a call, is a method of what one made, or is one of `this` that was given something. */
function mayCapture(callee: Node, { file, ofThis }: HoldingCode): boolean {
  const plain = callee.type === 'MemberExpression' ? unwrap(callee.object) : callee;
  if (plain.type === 'ThisExpression') return ofThis.length > 0;
  return makerOf(plain, file) !== undefined;
}

/** The call that made what an expression is, or an object that it is a part of. */
function makerOf(node: Node, file: SourceFile): CallNode | TSESTree.NewExpression | undefined {
  const plain = unwrap(node);
  switch (plain.type) {
    case 'CallExpression':
    case 'NewExpression':
      return plain;
    case 'AwaitExpression':
      return makerOf(plain.argument, file);
    case 'MemberExpression':
      return makerOf(plain.object, file);
    case 'Identifier': {
      const made = constantAt(plain, file) ?? takenApart(plain, file);
      return made && made.type !== 'Identifier' ? makerOf(made, file) : undefined;
    }
    default:
      return undefined;
  }
}

/** `const { find } = createQueries(connection)` */
function takenApart(name: Node, file: SourceFile): Node | undefined {
  const node = variableOf(file, name)?.defs[0]?.node as Node | undefined;
  return node?.type === 'VariableDeclarator' &&
    node.parent.kind === 'const' &&
    node.id.type === 'ObjectPattern' &&
    node.init !== null
    ? node.init
    : undefined;
}

function captured(callee: Node, fn: KnownFunction, code: HoldingCode): readonly By[] {
  const plain = callee.type === 'MemberExpression' ? unwrap(callee.object) : callee;
  if (plain.type === 'ThisExpression') return code.ofThis.map((each) => ({ ...each, by: plain }));
  const found: By[] = [];
  let inner = fn.node;
  let level = 0;
  for (
    let maker = makerOf(plain, code.file);
    maker !== undefined;
    maker = makerOf(maker.callee, code.file)
  ) {
    if (maker.type === 'NewExpression') return [...found, ...givenToClass(maker, fn, code)];
    const outer = code.resolver.abstractValueOf(maker.callee, code.file);
    if (outer?.kind !== 'function' || outer.file.path !== fn.file.path) break;
    const steps = stepsTo(inner, outer.node);
    if (steps === undefined) break;
    level += steps;
    inner = outer.node;
    found.push(...givenIn(maker.arguments, level, code));
  }
  return found;
}

/** How many functions further out a function is. */
function stepsTo(inner: FunctionNode, outer: FunctionNode): number | undefined {
  let steps = 1;
  for (let each = findAncestor(inner, isFunction); each !== undefined; steps += 1) {
    if (each.range[0] === outer.range[0] && each.range[1] === outer.range[1]) return steps;
    each = findAncestor(each, isFunction);
  }
  return undefined;
}

/** `new UserService(trx).create()`: its constructor keeps what it is given in members. */
function givenToClass(
  { arguments: args }: TSESTree.NewExpression,
  { node, file }: KnownFunction,
  code: HoldingCode,
): readonly By[] {
  const owner = findAncestor(node, isClass);
  const made = owner && constructorOf(owner);
  if (made === undefined) return [];
  return givenIn(args, 0, code).flatMap((each) =>
    each.key === undefined
      ? membersSetTo(made, each.index, file).map((key): By => ({
          ...each,
          level: null,
          index: -1,
          key,
        }))
      : [],
  );
}

function constructorOf({ body }: ClassNode): FunctionNode | undefined {
  const member = body.body.find(
    (each) => each.type === 'MethodDefinition' && each.kind === 'constructor',
  );
  return member?.type === 'MethodDefinition' && isFunction(member.value) ? member.value : undefined;
}

/** `constructor(private trx: Transaction)`, `this.trx = trx` */
function membersSetTo(made: FunctionNode, index: number, file: SourceFile): readonly string[] {
  const param: Node | undefined = made.params[index];
  if (param?.type === 'TSParameterProperty') {
    const own = declaredBy(param.parameter);
    return own?.type === 'Identifier' ? [own.name] : [];
  }
  const own = declaredBy(param);
  const variable = variableOf(file, own);
  const names: string[] = [];
  walk(file, made.body, (node) => {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return true;
    const name = memberName(node.left);
    if (
      name !== undefined &&
      node.left.object.type === 'ThisExpression' &&
      node.right.type === 'Identifier' &&
      variableOf(file, node.right) === variable
    )
      names.push(name);
    return true;
  });
  return variable === undefined ? [] : names;
}

/** A function of the code itself, which sees what that holds. */
export function ownFunctionAt(
  call: CallNode,
  enclosing: Node,
  file: SourceFile,
): FunctionNode | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier') return undefined;
  const node = variableOf(file, callee)?.defs[0]?.node as Node | undefined;
  const fn = node?.type === 'FunctionDeclaration' ? node : constantAt(callee, file);
  return fn !== undefined && isFunction(fn) && contains(enclosing, fn) && !contains(fn, call)
    ? fn
    : undefined;
}
