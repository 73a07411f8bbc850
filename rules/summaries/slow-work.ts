import type { FunctionNode, Node } from '../syntax/node.ts';
import { mention } from '../syntax/mention.ts';
import type { Resolver } from '../values/resolver.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { waitsOf, waitsOfFunction, type Called, type Waits } from './waits.ts';

/** Work outside of the database that a promise waits for. */
export interface SlowWork {
  /** For example "an HTTP request". */
  readonly what: string;
  /** The call that does it. */
  readonly node: Node;
  readonly file: SourceFile;
  /** The helpers between the await and the work, with their places: `chargeCard() (src/pay.ts:12)`. */
  readonly via: readonly Hop[];
}

export interface Hop {
  readonly text: string;
  readonly node: Node;
  readonly file: SourceFile;
}

/** So many functions are looked into for one await; what lies further is unknown. */
const maximalFunctions = 600;

// Caches, keyed by the resolver of a linted file: functions that were read, and those from which no slow work is reached.
const waitsByResolver = new WeakMap<Resolver, Map<FunctionNode, Waits>>();
const quickByResolver = new WeakMap<Resolver, Set<FunctionNode>>();

/** What an awaited expression waits for, when that is known to be slow: the nearest such work, over any number of calls. */
export function slowWorkIn(
  awaited: Node,
  file: SourceFile,
  resolver: Resolver,
): SlowWork | undefined {
  const quick = quickByResolver.get(resolver) ?? new Set<FunctionNode>();
  quickByResolver.set(resolver, quick);
  const seen = new Set<FunctionNode>();
  const steps: { readonly waits: Waits; readonly via: readonly Hop[] }[] = [
    { waits: waitsOf(awaited, file, resolver), via: [] },
  ];
  // The list grows while it is read: it is the worklist, nearest functions first.
  for (const { waits, via } of steps) {
    const [work] = waits.works;
    if (work !== undefined) return { ...work, via };
    for (const called of waits.calls) {
      if (seen.has(called.fn) || quick.has(called.fn)) continue;
      if (seen.size >= maximalFunctions) return undefined;
      seen.add(called.fn);
      steps.push({ waits: waitsKnown(called, resolver), via: [...via, hopTo(called)] });
    }
  }
  for (const fn of seen) quick.add(fn);
  return undefined;
}

function waitsKnown({ fn, file }: Called, resolver: Resolver): Waits {
  const known = waitsByResolver.get(resolver) ?? new Map<FunctionNode, Waits>();
  waitsByResolver.set(resolver, known);
  const waits = known.get(fn) ?? waitsOfFunction(fn, file, resolver);
  known.set(fn, waits);
  return waits;
}

function hopTo({ fn, file, callee, from }: Called): Hop {
  return { text: mention(callee, from).slice(1, -1), node: fn, file };
}
