import { socketVariables, type ReporterName } from '../options.ts';
import type { Command } from '../report.ts';
import type { CreateReporter, Reporter } from '../reporter.ts';
import type { Settings } from '../settings.ts';
import { sayOnStderr } from '../watch/say.ts';
import { createConsoleReporter } from './console.ts';
import { apiFolders, otelReporter } from './otel.ts';
import { socketReporter } from './socket.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type MakeReporters = (
  settings: Settings,
  onCommand: (command: Command) => void,
  environment: Environment,
) => readonly Reporter[];

/** Where reports can go: a row each. Null where there is nobody to report to. */
const makers: Readonly<
  Record<ReporterName, (settings: Settings, environment: Environment) => CreateReporter | null>
> = {
  console: (settings) => createConsoleReporter(settings),
  otel: () => otelReporter({ folders: apiFolders(), say }),
  socket: (_, environment) => {
    const path = environment[socketVariables.path] ?? '';
    const token = environment[socketVariables.token] ?? '';
    if (path !== '') return socketReporter({ path, token, say });
    say(`Reports to a listener are enabled, but ${socketVariables.path} does not say where it is.`);
    return null;
  },
};

export const createReporters: MakeReporters = (settings, onCommand, environment) =>
  settings.report.flatMap((name) => makers[name](settings, environment)?.(onCommand) ?? []);

function say(sentence: string): void {
  sayOnStderr(`[poolguard] ${sentence}`);
}
