import type { Report } from '../report.ts';
import type { CreateReporter } from '../reporter.ts';
import type { Settings } from '../settings.ts';
import { sayOnStderr } from '../watch/say.ts';

/** Lines on standard error. */
export function createConsoleReporter(_settings: Settings): CreateReporter {
  return () => ({
    tell: (report: Report) => {
      if (report.kind !== 'look' && report.kind !== 'hello') sayOnStderr(`[poolguard] ${JSON.stringify(report)}`);
    },
    stop: () => undefined,
  });
}
