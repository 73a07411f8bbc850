import { socketVariables, type ReporterName } from '../options.ts';
import type { Command } from '../report.ts';
import type { CreateReporter, Reporter } from '../reporter.ts';
import type { Settings } from '../settings.ts';
import { sayOnStderr } from '../watch/say.ts';
import { createConsoleReporter } from './console.ts';
import { socketReporter } from './socket.ts';

/** Where reports can go: a row each. */
const makers: Readonly<Partial<Record<ReporterName, (settings: Settings) => CreateReporter>>> = {
  console: createConsoleReporter,
  socket: () => socketReporter({ path: process.env[socketVariables.path] ?? '', token: process.env[socketVariables.token] ?? '', say: sayOnStderr }),
};

export function createReporters(settings: Settings, obey: (command: Command) => void): readonly Reporter[] {
  return settings.report.flatMap((name) => makers[name]?.(settings)(obey) ?? []);
}
