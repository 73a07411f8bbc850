import { isHandleAt } from '../fixes/query-held-client.ts';
import { handleFor } from '../fixes/tell-handle.ts';
import type { Given } from '../model/library.ts';
import { libraryOf } from '../model/libraries.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { takingCall } from '../values/library-calls.ts';
import { callOf, givenTo, misplacedIn } from '../values/misplaced-handle.ts';
import type { Here } from '../values/resolver.ts';
import { clientName } from './client-text.ts';

/** A call that does not learn of the transaction. */
interface Untold {
  readonly messageId: 'outside' | 'wrongArgument';
  readonly data: Readonly<Record<string, string>>;
}

/** The client that is held, as a message names it. */
export function heldText(checkout: Checkout): string {
  const name = clientName(checkout);
  if (name !== undefined) return `\`${name}\``;
  return libraryOf(checkout.acquisition.driver) === undefined
    ? 'the held client'
    : "the transaction's handle";
}

const positions = ['first', 'second', 'third', 'fourth'] as const;

/** A library whose transaction is no handle is told of it in one argument: what to write there, and whether another argument has it. */
export function untoldAt(
  checkout: Checkout,
  call: Node,
  { file, resolver }: Here,
): Untold | undefined {
  if (call.type !== 'CallExpression' || libraryOf(checkout.acquisition.driver) === undefined)
    return undefined;
  const taking = takingCall(call, file, resolver);
  const given = taking?.library.isTold === true ? givenTo(taking) : undefined;
  const method = taking?.path.at(-1) ?? '';
  const asked = callOf(method, call);
  if (given === undefined || asked === undefined) return undefined;
  const position = positions[given.at] ?? 'last';
  const misplaced = misplacedIn(asked, given, (node) => isHandleAt(call, node, checkout));
  const handle = handleText(checkout, given, misplaced, file);
  if (misplaced !== undefined)
    return { messageId: 'wrongArgument', data: { method, position, written: handle } };
  const how = given.option === null ? 'as' : 'in';
  return { messageId: 'outside', data: { cure: `Pass ${handle} ${how} its ${position} argument` } };
}

function handleText(
  checkout: Checkout,
  given: Given,
  misplaced: Node | undefined,
  file: SourceFile,
): string {
  const name = clientName(checkout);
  if (name !== undefined) return `\`${handleFor(given, name)}\``;
  return misplaced === undefined ? heldText(checkout) : excerpt(misplaced, file);
}
