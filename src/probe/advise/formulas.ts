import type { ProbeServerFacts } from '../../database/probe-server.ts';
import type { Advice } from './advice.ts';

/** What formulas of the field answer for this server. */
export function adviseBy(_facts: Pick<ProbeServerFacts, 'maxConnections' | 'reserved'>): Advice {
  return { guesses: [], observed: null };
}
