import type { Library } from '../model/library.ts';
import { methodsBehind, waitFor, type Wait } from '../syntax/call-chain.ts';
import type { CallNode, Node } from '../syntax/node.ts';
import type { Told } from './connection-given.ts';

/** What a call asks of a library's handle. */
export interface HandleCall {
  /** The expression that names the handle. */
  readonly handle: Node;
  readonly library: Library;
  /** The members from the handle to the call. */
  readonly path: readonly string[];
  /** A parameter may be given a transaction in the handle's place: both have one type. */
  readonly mayBeLent: boolean;
  /** What the call learns of the connection to go over. */
  readonly told: Told;
  /** It is a statement, and no transaction. */
  readonly sends: boolean;
}

/** A transaction's handle may be asked for the same. */
export function isAskedInside({ library: { notInside, isTold }, path }: HandleCall): boolean {
  return !isTold && !notInside.includes(path.join('.'));
}

/** Who waits for a query that a call gives; nobody where it learns of another connection. */
export function waitBehind(call: CallNode, { boundBy }: Library): Wait {
  return methodsBehind(call).some((name) => boundBy.includes(name)) ? 'dropped' : waitFor(call);
}
