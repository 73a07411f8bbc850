import type { ReporterName } from '../options.ts';
import type { Command } from '../report.ts';
import type { CreateReporter, Reporter } from '../reporter.ts';
import type { Settings } from '../settings.ts';
import { createConsoleReporter } from './console.ts';

/** Where reports can go: a row each. */
const makers: Readonly<Partial<Record<ReporterName, (settings: Settings) => CreateReporter>>> = {
  console: (settings) => createConsoleReporter(settings),
};

export function createReporters(settings: Settings, obey: (command: Command) => void): readonly Reporter[] {
  return settings.report.flatMap((name) => makers[name]?.(settings)(obey) ?? []);
}
