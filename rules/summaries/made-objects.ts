import { paramsOf } from '../syntax/parameters.ts';
import { walk } from '../syntax/preorder.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
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
  let gives = false;
  walk(file, plain.body, (node) => {
    gives ||=
      node.type === 'CallExpression' &&
      isMember(node.callee, ...releases) &&
      variableOf(file, unwrap(node.callee.object)) === client;
    return !gives;
  });
  return gives ? 'ending' : undefined;
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
