import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';
import { endOf } from '../syntax/excerpt.ts';
import type { Checkout } from '../typestate/checkout.ts';
import {
  definitionOf,
  findAncestor,
  memberName,
  parentOf,
  referencesTo,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Finding } from './finding.ts';
import { stepAt } from './path-step.ts';
import { findListLeaks } from './lists-on-throw.ts';
import type { Here } from '../values/resolver.ts';

/** Clients are put into a list of a function, which does nothing but query them, or releases them too late: with the function, they are gone. */
export function findClientsInLists(checkout: Checkout, { file }: Here): readonly Finding[] {
  const { call, driver, poolText } = checkout.acquisition;
  const list = listOf(checkout, file);
  const pushed = pushOf(call, driver.queries, file);
  const variable = list && variableOf(file, list);
  const enclosing = list && findAncestor(list, isFunction);
  if (list === undefined || enclosing === undefined || variable === undefined) return [];
  const isOnlyQueried = variable.references.every(
    ({ identifier, init }) =>
      init === true || isBorrowed(identifier as unknown as Node, driver.queries, file),
  );
  if (!isOnlyQueried)
    return pushed === undefined ? [] : findListLeaks(checkout, list, pushed, file);
  return [
    {
      rule: 'no-unreleased-client',
      messageId: 'listNeverReleased',
      data: { pool: poolText, list: list.name },
      place: call.loc,
      steps: [
        stepAt(call, `A client of ${poolText} is put into \`${list.name}\`.`),
        {
          place: endOf(enclosing),
          text: `The function ends. Nothing releases the clients in \`${list.name}\`.`,
        },
      ],
    },
  ];
}

/** The variable with the list of a function that a client is put into, where the client is not followed any further. */
export function listOf(
  { acquisition: { call, style, driver, shape, joined }, exploration }: Checkout,
  file: SourceFile,
): TSESTree.Identifier | undefined {
  if (style !== 'promise') return undefined;
  const pushed = pushOf(call, driver.queries, file);
  const list =
    joined !== undefined
      ? nameOf(parentOf(joined.call))
      : pushed === undefined
        ? mappedTo(call)
        : pushedTo(pushed, file);
  const isFollowed =
    shape !== undefined &&
    (joined === undefined || !exploration.states.some(({ fact }) => fact.status === 'escaped'));
  return isFollowed || (list && variableOf(file, list)?.defs.length) !== 1 ? undefined : list;
}

/** `clients.push(await pool.connect())`, also by a name that is only queried beside that. */
function pushOf(acquire: Node, queries: readonly string[], file: SourceFile): Node | undefined {
  const waited = parentOf(acquire);
  const up = waited?.type === 'AwaitExpression' ? parentOf(waited) : undefined;
  if (up?.type !== 'VariableDeclarator') return up;
  const [other, ...more] = referencesTo(up.id, file).filter(
    (each) => each !== up.id && !isQueried(each, queries),
  );
  return other !== undefined && more.length === 0 ? parentOf(other) : undefined;
}

/** `const clients = await Promise.all(ids.map(() => pool.connect()))` */
function mappedTo(acquire: Node): TSESTree.Identifier | undefined {
  const up = parentOf(acquire);
  const fn = up?.type === 'ReturnStatement' ? findAncestor(up, isFunction) : up;
  const map = fn && isFunction(fn) ? mapBy(fn) : undefined;
  const all = map && parentOf(map);
  return isOfPromise(all, 'all') ? nameOf(parentOf(all)) : undefined;
}

/** `const clients = await …` */
function nameOf(waited: Node | undefined): TSESTree.Identifier | undefined {
  const declarator = waited?.type === 'AwaitExpression' ? parentOf(waited) : undefined;
  return declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier'
    ? declarator.id
    : undefined;
}

function pushedTo(call: Node, file: SourceFile): TSESTree.Identifier | undefined {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { object } = call.callee;
  const definition = definitionOf(variableOf(file, object));
  const declarator = definition?.node as Node | undefined;
  return memberName(call.callee) === 'push' &&
    declarator?.type === 'VariableDeclarator' &&
    declarator.id.type === 'Identifier' &&
    declarator.init?.type === 'ArrayExpression'
    ? declarator.id
    : undefined;
}

/** `ids.map(() => pool.connect())`, by its callback, which does nothing else on any way. */
function mapBy(fn: FunctionNode): Node | undefined {
  const call = parentOf(fn);
  return call?.type === 'CallExpression' &&
    call.arguments[0] === fn &&
    memberName(call.callee) === 'map'
    ? call
    : undefined;
}

const rounds: ReadonlySet<string> = new Set(['forEach', 'map']);

/** Nothing but a query comes of this use of the list, or of a client in it. */
function isBorrowed(list: Node, queries: readonly string[], file: SourceFile): boolean {
  const up = parentOf(list);
  if (up?.type === 'ForOfStatement' && up.right === list && up.left.type === 'VariableDeclaration')
    return isOnlyQueried(up.left.declarations[0].id, queries, file);
  if (up?.type !== 'MemberExpression' || up.object !== list) return false;
  if (up.computed) return isQueried(up, queries);
  return memberName(up) === 'length' || isCalledHarmlessly(up, queries, file);
}

/** `clients.push(…)`, `clients.map((client) => client.query(…))` */
function isCalledHarmlessly(
  member: TSESTree.MemberExpression,
  queries: readonly string[],
  file: SourceFile,
): boolean {
  const call = parentOf(member);
  if (call?.type !== 'CallExpression' || call.callee !== member) return false;
  const name = memberName(member) ?? '';
  if (name === 'push') return parentOf(call)?.type === 'ExpressionStatement';
  const [fn] = call.arguments;
  return (
    rounds.has(name) &&
    fn !== undefined &&
    isFunction(fn) &&
    fn.params.length < 3 &&
    isOnlyQueried(fn.params[0], queries, file)
  );
}

function isOnlyQueried(
  name: Node | undefined,
  queries: readonly string[],
  file: SourceFile,
): boolean {
  return (
    name?.type === 'Identifier' &&
    referencesTo(name, file).every((each) => each === name || isQueried(each, queries))
  );
}

function isQueried(client: Node, queries: readonly string[]): boolean {
  const up = parentOf(client);
  if (up?.type === 'TSNonNullExpression' || up?.type === 'TSAsExpression')
    return isQueried(up, queries);
  return (
    up?.type === 'MemberExpression' &&
    unwrap(up.object) === unwrap(client) &&
    queries.includes(memberName(up) ?? '') &&
    parentOf(up)?.type === 'CallExpression'
  );
}
