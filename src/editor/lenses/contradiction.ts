import type { PoolDeclaration } from '../../server/protocol.ts';
import type { LastProbe } from '../live-figures.ts';
import { dayOf, probeText } from './figures-text.ts';

/** What is wrong with a `max` that the code of the service writes down, by the last probe; undefined where its interval has room for it. */
export function contradiction(
  { max, isMaxDefault, isAside, isWritable }: Omit<PoolDeclaration, 'uri' | 'range'>,
  last: LastProbe,
): string | undefined {
  const [low, high] = last.interval;
  if (max === undefined || isMaxDefault || isAside || !isWritable) return undefined;
  if (max === last.max || (low <= max && max <= high)) return undefined;
  return `Last probe on ${dayOf(last)} recommends ${probeText(last)}; this pool has max: ${max}.`;
}
