import { relative } from 'node:path';
import type { CodePlace } from '../../monitor/report.ts';
import type { HeldClients } from './watch/pool-watch.ts';

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
  return `${which} out for long when the load ended (for up to ${Math.round(longestMs / 1000)} s), acquired ${shown.join(', ')}: look there for a way on which a client is never released.`;
}

function describePlace(place: CodePlace | null, folder: string): string {
  if (place === null) return 'an unknown line';
  const path = relative(folder, place.file);
  return `${path.startsWith('..') ? place.file : path}:${place.line}${place.function === null ? '' : ` (${place.function})`}`;
}
