import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { constantText } from '../syntax/constants.ts';
import type { Finding } from './finding.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import type { Scene } from './scene.ts';

/** Clients that are checked out once, at a file's top level, and queried by handlers of requests, of which several run at a time. */
export function findSharedClients({ checkouts, file }: Scene): readonly Finding[] {
  return checkouts.flatMap((checkout) =>
    checkout.graph.root.type === 'Program' && checkout.acquisition.style === 'promise'
      ? (sharedBy(checkout, file) ?? [])
      : [],
  );
}

function sharedBy(
  { acquisition: { call, poolText } }: Checkout,
  file: SourceFile,
): Finding | undefined {
  const declarator = findAncestor(
    call,
    (each): each is TSESTree.VariableDeclarator => each.type === 'VariableDeclarator',
  );
  if (
    declarator === undefined ||
    declarator.init === null ||
    !isAwaited(declarator.init, call) ||
    declarator.id.type !== 'Identifier' ||
    declarator.parent.kind !== 'const'
  )
    return undefined;
  const uses = (variableOf(file, declarator.id)?.references ?? []).map(
    ({ identifier }) => identifier as unknown as Node,
  );
  const query = uses
    .map(queryOf)
    .find((each) => each !== undefined && isPlainQuery(each, file) && isInHandler(each));
  if (query === undefined) return undefined;
  return {
    rule: 'no-concurrent-client-query',
    messageId: 'shared',
    data: { pool: poolText, line: String(query.loc.start.line) },
    place: placeOf(call),
    steps: [
      {
        place: placeOf(call),
        text: `A client is checked out of ${poolText} once, for as long as the program runs.`,
      },
      {
        place: placeOf(query),
        text: `${mention(query, file)} uses it in every request, whoever else does at the time.`,
      },
    ],
  };
}

function isAwaited(init: Node, call: Node): boolean {
  const plain = unwrap(init);
  return plain.type === 'AwaitExpression' && unwrap(plain.argument) === call;
}

function queryOf(client: Node): TSESTree.CallExpression | undefined {
  const member = parentOf(client);
  const call =
    member?.type === 'MemberExpression' && member.object === client ? parentOf(member) : undefined;
  return call?.type === 'CallExpression' && call.callee === member ? call : undefined;
}

const routes: ReadonlySet<string> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'all',
  'use',
  'route',
]);

/** Below `app.get('/users', async (request, response) => …)`. */
function isInHandler(node: Node): boolean {
  for (
    let fn = findAncestor(node, isFunction);
    fn !== undefined;
    fn = findAncestor(fn, isFunction)
  ) {
    const call = parentOf(fn);
    if (
      call?.type === 'CallExpression' &&
      call.arguments.at(-1) === fn &&
      fn.params.length > 0 &&
      isRoute(call)
    )
      return true;
  }
  return false;
}

function isRoute({ callee, arguments: [path] }: TSESTree.CallExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    routes.has(memberName(callee) ?? '') &&
    path !== undefined &&
    constantText(path)?.startsWith('/') === true
  );
}
