import { seePools } from './hook/see-pools.ts';
import { sharedMonitor } from './watch/shared-monitor.ts';

seePools((pool, madeFrom) => sharedMonitor()?.watch(pool, {}, madeFrom));
