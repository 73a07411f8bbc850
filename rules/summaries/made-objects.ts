import { paramsOf, takenBy } from '../syntax/parameters.ts';
import { someIn } from '../syntax/preorder.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { isFunction, type CallNode, type FunctionNode, type Node } from '../syntax/node.ts';
import {
  keyName,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
  isMember,
} from '../syntax/source-file.ts';
import type { Role, Shape } from '../typestate/acquisition.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Resolver } from '../values/resolver.ts';

/** Where the client is in the object that a function makes of it: `createTransaction(client)`, which gives `{ commit() { … }, rollback() { … } }`. */
export function shapeOfCalled(
  made: Node | null,
  fact: Fact,
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): Shape | undefined {
  if (made?.type !== 'CallExpression') return undefined;
  const index = made.arguments.findIndex((each) => checkout.valueOf(each, fact) === 'client');
  const callee = index === -1 ? undefined : resolver.abstractValueOf(made.callee, file);
  if (callee?.kind !== 'function' || callee.node.async) return undefined;
  const [object, ...others] = returnedValues(callee.file, callee.node);
  const client = clientIn(callee.node, index, callee.file);
  if (object === undefined || others.length > 0 || client === undefined) return undefined;
  const { releases } = checkout.acquisition.driver;
  const roles = partsOf(unwrap(object)).flatMap(([key, part]): [string, Role][] => {
    const role = roleOf(part, client, releases, callee.file);
    return role === undefined ? [] : [[key, role]];
  });
  return roles.some(([, role]) => role !== 'client') ? new Map(roles) : undefined;
}

function clientIn(fn: FunctionNode, index: number, file: SourceFile): Variable | undefined {
  const param = paramsOf(fn)[index];
  return variableOf(file, param);
}

function roleOf(
  part: Node,
  client: Variable,
  releases: readonly string[],
  file: SourceFile,
): Role | undefined {
  const plain = unwrap(part);
  if (!isFunction(plain)) return variableOf(file, plain) === client ? 'client' : undefined;
  return releasesIn(plain, client, releases, file, new Set([client])) ? 'ending' : undefined;
}

/** Whether a function releases what a variable holds, itself or in functions of the file that it gives it to. */
function releasesIn(
  fn: FunctionNode,
  client: Variable,
  releases: readonly string[],
  file: SourceFile,
  seen: Set<Variable>,
): boolean {
  return someIn(file, fn.body, (node) => {
    if (node.type !== 'CallExpression') return false;
    if (isMember(node.callee, ...releases))
      return variableOf(file, unwrap(node.callee.object)) === client;
    const given = node.arguments.find((each) => variableOf(file, unwrap(each)) === client);
    return given !== undefined && isReleasedIn(node, given, releases, file, seen);
  });
}

/** Whether a call gives the client to a function of the file that releases it. */
export function isReleasedIn(
  call: CallNode,
  client: Node,
  releases: readonly string[],
  file: SourceFile,
  seen = new Set<Variable>(),
): boolean {
  const taken = variableOf(file, takenBy(unwrap(client), call, file));
  const helper = taken?.scope.block as Node | undefined;
  if (taken === undefined || helper === undefined || !isFunction(helper) || seen.has(taken))
    return false;
  return releasesIn(helper, taken, releases, file, seen.add(taken));
}

/** What an object or array that is written in place has, by key or index. */
export function partsOf(value: Node): readonly (readonly [key: string, part: Node])[] {
  if (value.type === 'ArrayExpression')
    return value.elements.flatMap((element, index) =>
      element === null ? [] : [[String(index), element] as const],
    );
  if (value.type !== 'ObjectExpression') return [];
  return value.properties.flatMap((property) => {
    const key = property.type === 'Property' ? keyName(property.key, property.computed) : undefined;
    return property.type === 'Property' && key !== undefined
      ? [[key, property.value] as const]
      : [];
  });
}
