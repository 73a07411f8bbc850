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
import { stepAt, stepOf } from './path-step.ts';
import type { Here } from '../values/resolver.ts';
import type { Edge, Point } from '../flow/graph.ts';
import { someIn } from '../syntax/preorder.ts';

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

/** A list that gets clients of one function, which releases what is in it further on: what throws in between, the next checkout first, leaves them all out. */
function findListLeaks(
  checkout: Checkout,
  list: TSESTree.Identifier,
  push: Node,
  file: SourceFile,
): readonly Finding[] {
  const { acquisition, graph } = checkout;
  const names = (variableOf(file, list)?.references ?? [])
    .filter(({ init }) => init !== true)
    .map(({ identifier }) => identifier as Node);
  const isSeen = [list, ...names].every((name) => findAncestor(name, isFunction) === graph.root);
  const releases = names.filter((name) => isReleased(name, acquisition.driver.releases, file));
  const others = names.filter((name) => !releases.includes(name) && !isPush(name));
  if (!isSeen || releases.length === 0 || others.some(mayTake)) return [];
  const thrown = throwBetween(checkout, push, new Set<Node>([...releases, ...others]));
  if (thrown?.node === undefined || thrown.node === null) return [];
  const { poolText } = acquisition;
  return [
    {
      rule: 'no-unreleased-client',
      messageId: 'notReleasedOnThrow',
      data: {
        client: `a client in \`${list.name}\``,
        when: `if line ${thrown.node.loc.start.line} throws`,
        remedy: `Start a \`try\` before the first checkout and release every client in its \`finally\``,
      },
      place: acquisition.call.loc,
      steps: [
        stepAt(acquisition.call, `A client of ${poolText} is put into \`${list.name}\`.`),
        stepOf(
          thrown.node,
          file,
          `may throw, and control leaves the function. Nothing releases the clients in \`${list.name}\`.`,
        ),
      ],
    },
  ];
}

/** The point after the push whose failure leaves the function, before the list is looked at again. */
function throwBetween({ graph }: Checkout, push: Node, seen: ReadonlySet<Node>): Point | undefined {
  const from = new Map<Point, Point | undefined>();
  for (const point of graph.points)
    if (point.kind === 'eval' && point.node === push) from.set(point, undefined);
  const starts = new Set(from.keys());
  for (const point of from.keys()) {
    for (const edge of point.edges.filter((each) => isTaken(each, point, starts.has(point)))) {
      if (edge.to.kind === 'throw-exit')
        return edge.when === 'throw' ? point : lastThrow(point, from);
      const isSeen = edge.to.node !== null && seen.has(edge.to.node);
      if (!isSeen && !from.has(edge.to)) from.set(edge.to, point);
    }
  }
  return undefined;
}

/** The push itself has come to its end; what hardly ever throws is no way, and what nobody waits for is its own. */
function isTaken({ when }: Edge, { kind }: Point, isStart: boolean): boolean {
  if (when === 'implicit-throw' || kind === 'unhandled') return false;
  return !isStart || when !== 'throw';
}

function lastThrow(end: Point, from: ReadonlyMap<Point, Point | undefined>): Point | undefined {
  let to = end;
  for (let each = from.get(end); each !== undefined; each = from.get(each)) {
    const before = each;
    if (before.edges.some((edge) => edge.to === to && edge.when === 'throw')) return before;
    to = before;
  }
  return undefined;
}

function isPush(name: Node): boolean {
  const member = parentOf(name);
  return memberName(member) === 'push';
}

/** `for (const client of clients) client.release()`, `clients.forEach((client) => client.release())`, `clients.pop().release()` */
function isReleased(list: Node, releases: readonly string[], file: SourceFile): boolean {
  const up = parentOf(list);
  const enclosing =
    up?.type === 'ForOfStatement' && up.right === list
      ? up.body
      : findAncestor(list, (each): each is Node => each.type.endsWith('Statement'));
  return (
    enclosing !== undefined &&
    someIn(file, enclosing, (node) => releases.includes(memberName(node) ?? ''))
  );
}

const harmless: ReadonlySet<string> = new Set(['forEach', 'length', 'map', 'at']);

/** Whoever gets the list, or what is in it, may answer for it. */
function mayTake(list: Node): boolean {
  const up = parentOf(list);
  if (up?.type === 'ForOfStatement') return up.right !== list;
  if (up?.type === 'MemberExpression')
    return up.object !== list || (!up.computed && !harmless.has(memberName(up) ?? ''));
  const call = up && unwrap(up);
  return call?.type !== 'CallExpression' || parentOf(call)?.type !== 'AwaitExpression';
}
