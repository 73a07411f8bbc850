import {
  Disposable,
  ThemeIcon,
  debug,
  window,
  workspace,
  type DebugConfiguration,
  type DebugConfigurationProvider,
  type GlobalEnvironmentVariableCollection,
} from 'vscode';
import type { Listener } from '../../running/listener.ts';
import type { ChosenRun } from './choose-run.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens a terminal whose applications report to the listener, and runs in it what the user chose. */
export function openWatchedTerminal(listener: Listener, { folder, command }: ChosenRun): void {
  const terminal = window.createTerminal({
    name: 'pool watch',
    iconPath: new ThemeIcon('pulse'),
    env: listener.variables(terminalEnvironment()),
    message:
      'Node.js applications that you start here show their connection pools in the Poolguard sidebar.',
    // In the next window nobody listens where its variables point to.
    isTransient: true,
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  terminal.show();
  if (command !== null) terminal.sendText(command);
}

/** Lets every terminal that is opened from now on, and every debug session of Node.js, report to the listener, until it is disposed. */
export function watchNewTerminals(
  listener: Listener,
  collection: GlobalEnvironmentVariableCollection,
): Disposable {
  collection.persistent = false;
  collection.description =
    'Node.js applications show their connection pools in the Poolguard sidebar.';
  const { NODE_OPTIONS: options, ...others } = listener.variables({});
  for (const [name, value] of Object.entries(others)) collection.replace(name, value);
  if (options !== undefined) collection.append('NODE_OPTIONS', ` ${options}`);
  const provider: DebugConfigurationProvider = {
    resolveDebugConfiguration: (_folder, configuration) => watchLaunch(listener, configuration),
  };
  return Disposable.from(
    ...['node', 'pwa-node'].map((type) => debug.registerDebugConfigurationProvider(type, provider)),
    { dispose: () => collection.clear() },
  );
}

/** An application that is only attached to has its environment already. */
function watchLaunch(listener: Listener, configuration: DebugConfiguration): DebugConfiguration {
  if (configuration.request !== 'launch') return configuration;
  const env = (configuration['env'] ?? {}) as Environment;
  return { ...configuration, env: { ...env, ...listener.variables({ ...process.env, ...env }) } };
}

/** The settings of the user's terminals may have options for Node.js, which are added to and not replaced. */
function terminalEnvironment(): Environment {
  const platform = { darwin: 'osx', win32: 'windows' }[process.platform as string] ?? 'linux';
  const env =
    workspace.getConfiguration('terminal.integrated.env').get<Environment>(platform) ?? {};
  return { ...process.env, ...env };
}
