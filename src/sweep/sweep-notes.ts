import { relative } from 'node:path';
import type { CodePlace } from '../../monitor/report.ts';
import { countErrors } from '../probe/load/pool-load.ts';
import type { Limit } from '../probe/result-head.ts';
import { noisy, spareCores, spreadOf } from './judge-sweep.ts';
import type { LoadTool } from './load/load-tool.ts';
import type { SweepRow } from './sweep-result.ts';
import type { HeldClients } from './watch/pool-watch.ts';

export interface NoteFacts {
  /** The sizes in the order in which they ran. */
  readonly order: readonly number[];
  /** What the monitor said when it failed; null while it watched. */
  readonly broken: string | null;
  readonly pick: number | null;
  readonly limits: readonly Limit[];
  /** Of this machine. */
  readonly cores: number;
  readonly tool: LoadTool['name'];
}

const someErrors = 0.01;
/** What others use of the machine, in cores, before it is worth a word. */
const muchByOthers = 0.5;

/** What to know beside the verdict, a sentence each. */
export function* listNotes(
  rows: readonly SweepRow[],
  { order, broken, pick, limits, cores, tool }: NoteFacts,
): Generator<string> {
  yield `The sizes ran in this order: ${order.join(', ')}.${rows.every(({ passes }) => passes.length === 1) ? ' Each ran once, so differences below a tenth may be chance.' : ''}`;
  const spread = spreadOf(rows);
  if (spread > noisy)
    yield `Passes of the same size differ by up to ${Math.round(spread * 100)} %, so smaller differences between sizes may be chance.`;
  const failed = rows.filter(
    ({ errors, requests, passes }) => countErrors(errors) > someErrors * requests * passes.length,
  );
  if (failed.length > 0)
    yield `More than 1 % of the requests failed with a pool of ${failed.map(({ max }) => max).join(', ')}.`;
  if (broken !== null) yield `The monitor inside the application failed: ${broken}`;
  else if (rows.every(({ seenMax }) => seenMax === null))
    yield 'No monitor reported a pool that the load used, so queues and holds are missing, and it is unknown whether the application read the size.';
  const untold = rows.filter(({ seenMax, checkouts }) => seenMax !== null && checkouts === null);
  if (untold.length > 0)
    yield `The monitor did not report all checkouts with a pool of ${untold.map(({ max }) => max).join(', ')}, so waits and holds are missing there.`;
  const others = rows.map((row) => usedByOthers(row, cores, tool));
  if (others.length > 0 && others.every((used) => used !== null))
    yield `Less than ${spareCores} of the ${cores} cores were idle with every size, and other programs (or the database) used about ${Math.min(...others).toFixed(1)}: sizes may look better or worse than they are.`;
  const [tightest] = limits;
  if (tightest !== undefined && pick !== null && tightest.perPool < pick)
    yield `The server does not have ${pick} connections for each pool: ${tightest.arithmetic}.`;
}

/** Cores that neither the application nor the load used while none was idle; null where some were, or where it is little or not known. */
function usedByOthers(
  { idleCores, appCores, generator: { busy } }: SweepRow,
  cores: number,
  tool: LoadTool['name'],
): number | null {
  if (idleCores === null || appCores === null || busy === null || idleCores >= spareCores)
    return null;
  // That of k6 is a share of all cores, that of undici one of its single event loop.
  const used = cores - idleCores - appCores - (tool === 'k6' ? busy * cores : busy);
  return used < muchByOthers ? null : used;
}

const mostPlaces = 3;

/** Says which lines keep the clients of a pool after the load, with paths as seen from `folder`. */
export function describeHeld({ max, count, places }: HeldClients, folder: string): string {
  const shown = places
    .slice(0, mostPlaces)
    .map(
      (each) =>
        `${places.length === 1 ? '' : `${each.count} `}at ${describePlace(each.place, folder)}`,
    );
  const which =
    count >= max
      ? max === 1
        ? 'The one client of the pool was'
        : `All ${max} clients of the pool were`
      : `${count} of the ${max} clients of the pool were`;
  const longestMs = Math.max(...places.map((each) => each.longestMs));
  return `${which} still checked out when the load ended (for up to ${Math.round(longestMs / 1000)} s), acquired ${shown.join(', ')}: look there for a path on which the client is never released.`;
}

function describePlace(place: CodePlace | null, folder: string): string {
  if (place === null) return 'an unknown line';
  const path = relative(folder, place.file);
  return `${path.startsWith('..') ? place.file : path}:${place.line}${place.function === null ? '' : ` (${place.function})`}`;
}
