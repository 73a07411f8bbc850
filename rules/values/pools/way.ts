import type { NodePlace } from '../../project/module-reader.ts';
import type { Node } from '../../syntax/node.ts';
import { parentOf, type SourceFile } from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';

/**
 * How to get at a pool from the value that has it: by members, by a call (`()`), by making an object (`new`). `*` is the end of a way
 * on which nobody gets at it.
 */
export type Way = readonly string[];

/** Where to go on in a file. */
export type Start =
  | {
      readonly kind: 'value';
      readonly at: NodePlace;
      readonly way: Way;
      /** Followed for as long as this function, loop or object lasts only. */
      readonly within?: NodePlace;
      /** What it is followed within is called with the request. */
      readonly isOfRequest?: boolean;
    }
  /** A member of the objects of a class, which their code gets at by `this`. */
  | { readonly kind: 'field'; readonly within: NodePlace; readonly way: Way }
  /** An argument of a function, or of the constructor of a class. */
  | {
      readonly kind: 'given';
      readonly to: NodePlace;
      readonly index: number;
      readonly way: Way;
      readonly isForLife?: true;
    }
  /** What the file imports of another one. */
  | { readonly kind: 'module'; readonly of: string; readonly way: Way };

/** What one file does with a pool, as plain data. */
export interface Ways {
  /** A listener for its 'error' events. */
  isHeard: boolean;
  /** Somebody unknown has it. */
  isLost: boolean;
  /** Something that stays has it. */
  isKept: boolean;
  /** Something has it that lasts longer than what it is followed within. */
  isOutliving: boolean;
  /** How the caller of the function gets at it that it is followed within, and who makes the object. */
  readonly given: Way[];
  /** Names of members of the request by which other files get at it. */
  readonly attached: string[];
  /** Members of the pool that are called. */
  readonly calls: string[];
  /** Members of other names that objects which have it are asked for. */
  readonly asked: string[];
  /** Members of classes whose code ends it; the empty name for code of functions. */
  readonly endedBy: string[];
  /** Events that somebody listens to. */
  readonly events: string[];
  /** A function that gives it was called. */
  isCalled: boolean;
  /** Names of members by which other files get at it. */
  readonly named: string[];
  /** From the file as a module. */
  readonly exported: Way[];
  /** Into functions and classes of other files. */
  readonly into: (Start & { readonly kind: 'given' })[];
}

export function noWays(): Ways {
  return {
    isHeard: false,
    isLost: false,
    isKept: false,
    isOutliving: false,
    given: [],
    attached: [],
    calls: [],
    asked: [],
    endedBy: [],
    events: [],
    isCalled: false,
    named: [],
    exported: [],
    into: [],
  };
}

/** One file's part of the way, while it is followed. */
export interface Trace {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly found: Ways;
  readonly seen: Set<string>;
  readonly within: Node | undefined;
  readonly isOfRequest: boolean;
  /** Functions that use it are followed as well. */
  readonly isForLife: boolean;
  /** How many objects that may be gone soon are around it. */
  held: number;
  /** Goes on from an expression that has the value. */
  follow(node: Node, way: Way): void;
}

const maximalSteps = 400;

/** False where the same was followed before, or too much. */
export function isNew(
  trace: Trace,
  node: { readonly range?: readonly number[] | undefined },
  kind: string,
  way: Way,
): boolean {
  const key = `${kind} ${node.range?.join('-')} ${way.join('.')}`;
  if (trace.seen.has(key)) return false;
  trace.seen.add(key);
  if (trace.seen.size > maximalSteps || way.length > 12) trace.found.isLost = true;
  return !trace.found.isLost;
}

/** Nobody who has the value gets at the pool. */
export function isHidden(way: Way): boolean {
  return way.at(-1) === '*';
}

/** The last member of a way. */
export function lastName(way: Way): string {
  return way.findLast((each) => /^[#\w$]/u.test(each)) ?? '';
}

/** Somebody unknown has the value; who makes objects of a class gets at a pool by the name of a member. */
export function lose(trace: Trace, way: Way): void {
  if (isHidden(way)) return;
  if (way[0] === 'new') trace.found.named.push(lastName(way));
  else trace.found.isLost = true;
}

export function keep(trace: Trace, way: Way): void {
  if (!way.includes('new')) trace.found.isOutliving = true;
  keepAs(trace, way);
}

/** Not what a call would only give. */
export function keepAs({ found, held }: Trace, way: Way): void {
  if (held === 0 && !way.includes('()') && !way.includes('new')) found.isKept = true;
}

/** The member is assigned to. */
export function isWritten(member: Node): boolean {
  const up = parentOf(member);
  return up?.type === 'AssignmentExpression' && up.left === member && up.operator === '=';
}
