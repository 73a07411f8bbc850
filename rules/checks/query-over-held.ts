import type { Library } from '../model/library.ts';
import { methodsBehind, type Request } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { keyName, unwrap } from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import { joinsQuery } from '../typestate/joined-queries.ts';
import { isCarriedBy } from '../values/carried-statements.ts';
import { takingCall } from '../values/library-calls.ts';
import { isUnderWay, nestedOver, queryOver } from '../values/sent-at.ts';
import type { Place, Started } from './started.ts';

type Over = Pick<Started, 'client' | 'held'>;

/** A query over a library's handle, or a transaction inside of its own. */
export function overHandle(
  request: Request,
  place: Place,
  isWaitedFor: boolean,
): Started | undefined {
  const libraryAt = (node: Node): Library | undefined => place.paths.at(node)?.library ?? undefined;
  const outer = nestedOver(request, libraryAt);
  const client = outer ?? queryOver(request, libraryAt, isWaitedFor);
  const over =
    client === undefined ? handleTold(request, place, isWaitedFor) : overClient(client, place);
  return (
    over && { node: request, ...over, isNested: outer !== undefined, isSure: true, isBehind: false }
  );
}

function overClient(client: Node, { paths }: Place): Over | undefined {
  const held = paths.at(client);
  return held && { client, held };
}

/** `trx` of `User.query(trx).insert(row)`, `User.create(values, { transaction: trx })`, `knex('users').insert(row).transacting(trx)` and ``sql`…`.execute(trx)``. */
function handleTold(request: Request, place: Place, isWaitedFor: boolean): Over | undefined {
  if (request.type !== 'CallExpression') return undefined;
  for (const call of chainFrom(request)) {
    if (!mayTell(call, place)) continue;
    const joined = handleJoined(call, place, isWaitedFor);
    const over = joined === undefined ? toldOf(call, place) : overClient(joined, place);
    if (over !== undefined) return over;
  }
  return undefined;
}

/** A method that takes the library's transaction this way, on any object: `row.$query(trx)`. */
function handleJoined(call: CallNode, place: Place, isWaitedFor: boolean): Node | undefined {
  return call.arguments
    .flatMap((argument) => partsOf(argument))
    .find((part) => {
      const library = place.paths.at(part)?.library;
      return (
        library !== undefined &&
        library !== null &&
        (isWaitedFor || isUnderWay(library, call, methodsBehind(call))) &&
        goesOver(call, part, library, place)
      );
    });
}

/** A call that is given the handle is a query over it, and no function of the program's own. */
function goesOver(
  call: CallNode,
  handle: Node,
  library: Library,
  { file, resolver }: Place,
): boolean {
  const isQuery =
    joinsQuery(handle, useOf(handle), library) || isCarriedBy(call, library, file, resolver);
  return isQuery && resolver.abstractValueOf(call.callee, file)?.kind !== 'function';
}

/** What a call of a library is told, by options with a name as well. */
function toldOf(call: CallNode, { file, resolver, paths }: Place): Over | undefined {
  const told = takingCall(call, file, resolver)?.told;
  if (told?.kind !== 'some') return undefined;
  const held = told.key === undefined ? paths.at(told.node) : paths.member(told.node, told.key);
  return held === undefined || held.library === null ? undefined : { client: told.node, held };
}

/** Some argument has the connection, so that it is worth knowing what the call is. */
function mayTell({ arguments: args }: CallNode, { paths }: Place): boolean {
  return args.some((each) => paths.at(each) !== undefined || paths.keysOf(each).length > 0);
}

/** An argument, or what an object that is written in place has under its keys. */
function partsOf(argument: Node): readonly Node[] {
  const plain = unwrap(argument);
  if (plain.type !== 'ObjectExpression') return [argument];
  return plain.properties.flatMap((each) =>
    each.type === 'Property' && keyName(each.key, each.computed) !== undefined ? [each.value] : [],
  );
}

/** The calls of a chain, the last one first. */
function chainFrom(call: CallNode): readonly CallNode[] {
  const { callee } = call;
  const before = callee.type === 'MemberExpression' ? unwrap(callee.object) : undefined;
  return before?.type === 'CallExpression' ? [call, ...chainFrom(before)] : [call];
}
