import type { TSESTree } from '@typescript-eslint/types';
import type { Edge, Point } from '../flow/graph.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';

/** A list that gets clients of one function, which releases what is in it further on: what throws in between, the next checkout first, leaves them all out. */
export function findListLeaks(
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
