import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import type { Resolver } from '../values/resolver.ts';
import { byDistance, createEffects, type Effect, type EffectsOf } from './effects.ts';
import { waitsOf, waitsOfFunction, type Waits } from './waits.ts';

/** Work outside of the database that a promise waits for. */
export interface SlowWork extends Effect {
  /** For example "an HTTP request". */
  readonly what: string;
}

const worksOf: EffectsOf<SlowWork, undefined> = createEffects({
  effectsIn: ({ node, file }, _entry, resolver) =>
    worksIn(waitsOfFunction(node, file, resolver), resolver),
});

/** What an awaited expression waits for, when that is known to be slow: the nearest such work, over any number of calls. */
export function slowWorkIn(
  awaited: Node,
  file: SourceFile,
  resolver: Resolver,
): SlowWork | undefined {
  return [...worksIn(waitsOf(awaited, file, resolver), resolver)].sort(byDistance)[0];
}

/** The same for what a function waits for. */
export function slowWorkInside(
  fn: KnownFunction,
  callee: Node,
  file: SourceFile,
  resolver: Resolver,
): SlowWork | undefined {
  return [...(worksOf(fn, callee, { file, resolver }, undefined) ?? [])].sort(byDistance)[0];
}

/** What is called is looked into only where nothing is nearer. */
function worksIn({ works, calls }: Waits, resolver: Resolver): readonly SlowWork[] {
  return works.length > 0
    ? works.map((work) => ({ ...work, via: [] }))
    : calls.flatMap(
        ({ fn, callee, from }) => worksOf(fn, callee, { file: from, resolver }, undefined) ?? [],
      );
}
