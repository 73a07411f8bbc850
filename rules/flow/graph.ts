import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';

/**
 * One step of evaluation. A function's graph has a point for every expression, in the order in which they are evaluated:
 * children first, then the point of the node itself, at which its own operation happens.
 */
export type PointKind =
  /** The graph's only way in. */
  | 'entry'
  /** The function returns, or its end is reached. */
  | 'exit'
  /** An exception leaves the function. */
  | 'throw-exit'
  /** The operation of `node`. */
  | 'eval'
  /** The promise that `node` evaluates to settles: fulfils on `next`, rejects on `throw`. */
  | 'settle'
  /** `target` gets the value of `source`. */
  | 'bind'
  /** A callback given to the call `node` starts; its parameters are bound by the driver's table. */
  | 'callback'
  /** The callback of the call `node` is due: it runs (`true`) where the way here has made that call, and not otherwise (`false`). */
  | 'due'
  /** The block ends in which `node` was declared by `using`: it is disposed of. */
  | 'dispose'
  /** A function reference (`node`) is called by somebody else, as in `.finally(client.release)`, with the value of `target`. */
  | 'invoke'
  /** The function that makes the promise `node` has thrown: the promise rejects, unless it was settled before. */
  | 'reject'
  /** What the promise or callback `node` threw is handled by nobody: it ends there (`throw`), and the code around it goes on (`next`). */
  | 'unhandled'
  /** The call `node` is of a function whose body belongs here and stays out, because it stands in itself or too deep. */
  | 'cut'
  /** Nothing happens; paths meet. */
  | 'join';

/** The body of a function that belongs to the graph, and what runs it: the call or the chain; null where the function itself stands there. */
export interface Body {
  readonly fn: FunctionNode;
  readonly call: Node | null;
}

export interface Point {
  readonly id: number;
  readonly kind: PointKind;
  readonly node: Node | null;
  readonly target: Node | null;
  /** The bodies around it, from the inside out. */
  readonly bodies: readonly Body[];
  readonly edges: Edge[];
}

/**
 * How control goes on: as usual, by the outcome of a test, out of a `yield` whose consumer wants no more, by an exception that
 * a careful reader expects (an await, a `throw`), or by one that hardly ever happens (a synchronous call that fails).
 */
export type When =
  'next' | 'true' | 'false' | 'nullish' | 'present' | 'stopped' | 'throw' | 'implicit-throw';

export function isThrown(when: When): boolean {
  return when === 'throw' || when === 'implicit-throw';
}

export interface Edge {
  readonly to: Point;
  readonly when: When;
}

export interface Graph {
  readonly root: FunctionNode | TSESTree.Program;
  readonly entry: Point;
  readonly points: readonly Point[];
  /** Calls whose callee or callback stands in the graph itself. */
  readonly inlined: ReadonlySet<Node>;
  /** Functions, other than the root, whose body is part of the graph. */
  readonly bodies: ReadonlySet<Node>;
  /** Those of them that a promise chain runs, and whose promise it waits for. */
  readonly handlers: ReadonlySet<Node>;
  /** Functions and promise chains whose end nobody waits for: the code around them goes on meanwhile. */
  readonly detached: ReadonlySet<Node>;
  /** Calls whose callback stands at a point of its own, behind what runs before it. */
  readonly postponed: ReadonlySet<Node>;
}

/** A loose end: the next point appended is linked from here. */
export interface Port {
  readonly from: Point;
  readonly when: When;
}
