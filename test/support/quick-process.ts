// The measuring process by a clock that runs faster; all else is what `src/probe/process.ts` starts.
import { serveProbe } from '../../src/probe/serve-probe.ts';
import { createQuickTime } from './quick-clock.ts';

serveProbe(createQuickTime(5));
