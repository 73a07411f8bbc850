import type { HoldingCode } from '../summaries/held-calls.ts';
import type { Held } from '../summaries/held-paths.ts';
import type { Rounds } from '../summaries/several-rounds.ts';
import type { Request } from '../syntax/call-chain.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Code, what it holds, and how often it runs at a time. */
export interface Place extends HoldingCode {
  /** The functions in here see what it holds. */
  readonly enclosing: Node;
  readonly rounds: Rounds;
  /** A transaction that queries join without being told. */
  readonly ambient: Ambient | undefined;
  /** Parameters that the call left out. */
  readonly omitted: readonly Node[];
  /** The functions of its own that are being looked into. */
  readonly inside: readonly FunctionNode[];
}

/** A transaction that is around code, and the queries that go over it. */
export interface Ambient {
  readonly held: Held;
  isOver(call: CallNode, file: SourceFile): boolean;
}

/** A query of the client that is under way when an expression has been evaluated, or the call of a helper that makes one. */
export interface Started {
  readonly node: Request;
  /** Undefined where it goes over a connection that it is not told of. */
  readonly client: Node | undefined;
  readonly held: Held;
  /** It is a transaction inside the one that is held. */
  readonly isNested: boolean;
  /** It is on every way through the code; else on ways that several rounds may take. */
  readonly isSure: boolean;
  /** It comes after another query, or after slow work, has been waited for. */
  readonly isBehind: boolean;
}
