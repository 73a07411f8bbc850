import plugin, {
  findingsOf,
  heldSpansOf,
  poolEdits,
  poolsOf,
  queriesOf,
  routesOf,
  statementsOf,
} from '../../rules/index.ts';
import { mistakeIn } from '../../rules/checks/analyse.ts';
import { leadsToPool } from '../../rules/project/leads-to-pool.ts';
import type { Plugin } from './plugin.ts';

/** The real plugin; everything else takes a plugin as an argument. */
export const poolguard: Plugin = {
  plugin,
  findingsOf,
  mistakeIn,
  leadsToPool,
  heldSpansOf,
  poolsOf,
  poolEdits,
  queriesOf,
  routesOf,
  statementsOf,
};
