import type { CallNode } from '../syntax/node.ts';
import { libraryFor } from '../model/libraries.ts';
import { poolsHeldBy } from '../summaries/pool-needs.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { HandleCall } from '../values/handle-call.ts';
import { handleAt } from '../values/handles.ts';
import { takingCall } from '../values/library-calls.ts';
import { joinsTransaction } from '../values/queries-join.ts';
import { isSamePoolAt } from '../values/same-pool.ts';
import type { Analysis } from './analysis.ts';
import type { Ambient } from './started.ts';

/** The transaction of a checkout, where queries of the pool's handles go over it without being told. */
export function ambientsIn({
  file,
  resolver,
}: Analysis): (checkout: Checkout) => Ambient | undefined {
  const known = new Map<Checkout, Ambient | undefined>();
  const ambientOf = (checkout: Checkout): Ambient | undefined => {
    const { call, driver, style } = checkout.acquisition;
    const library = libraryFor(driver);
    if (library === undefined || style !== 'lent' || call.type !== 'CallExpression')
      return undefined;
    const joins = (asked: HandleCall, at: SourceFile): boolean =>
      library.ambient === null
        ? joinsTransaction(asked, at, resolver)
        : library.ambient.isJoinedBy === 'handles';
    const held = poolsHeldBy(call, file, resolver);
    return {
      held: { library, of: checkout },
      isOver(query, at) {
        const asked = queryWithoutConnection(query, at, resolver);
        if (asked === undefined) return false;
        const handle = handleAt(asked.handle, at, resolver);
        const isCurrent = handle?.currentOf === library.module && asked.library.together !== null;
        return (
          (isCurrent || (!asked.mayBeLent && joins(asked, at))) &&
          held.some(({ pool }) => isSamePoolAt(resolver, pool, { node: asked.handle, file: at }))
        );
      },
    };
  };
  return (checkout) => {
    if (!known.has(checkout)) known.set(checkout, ambientOf(checkout));
    return known.get(checkout);
  };
}

/** A statement that learns of no connection. */
function queryWithoutConnection(
  query: CallNode,
  file: SourceFile,
  resolver: Analysis['resolver'],
): HandleCall | undefined {
  const asked = takingCall(query, file, resolver);
  return asked?.sends === true && asked.told.kind === 'nothing' ? asked : undefined;
}
