import { nothingConfigured, type Configured, type ConfiguredRules, type Host } from './host.ts';
import { isWithin } from './path-of-document.ts';
import type { Settings } from '../settings/settings.ts';
import type { Client } from './client.ts';

/** A file that is about to be checked. */
export interface ConfiguredFile {
  /** Undefined for a document that is no file. */
  readonly path: string | undefined;
  readonly cwd: string;
  readonly settings: Settings;
  readonly host: Host;
  readonly client: Client;
}

/** Milliseconds that a first answer waits for the workspace's ESLint, so that one which is awake is not heard too late. */
const graceMs = 200;

/** What the workspace's ESLint is known to say of a file, or says soon enough; `onLate` is called when ESLint, which may need seconds to start, then says something else. */
export async function soonRules(
  file: ConfiguredFile,
  onLate: () => void,
): Promise<ConfiguredRules> {
  const { known, coming } = ask(file);
  if (coming === undefined) return known ?? nothingConfigured;
  const used = known ?? (await Promise.race([coming, sleep(graceMs, nothingConfigured)]));
  void coming.then((rules) => {
    if (JSON.stringify(rules) !== JSON.stringify(used)) onLate();
  });
  return used;
}

/** What the workspace's ESLint says of a file, for somebody who can wait until it is awake. */
export async function settledRules(file: ConfiguredFile): Promise<ConfiguredRules> {
  const { known, coming } = ask(file);
  return (await coming) ?? known ?? nothingConfigured;
}

function ask({
  path,
  cwd,
  settings,
  host,
  client: { facts, folders },
}: ConfiguredFile): Configured {
  const mayAsk = facts.isTrusted && settings['lint.whenEslintReports'] !== 'own';
  // Trust is about the workspace: what lies elsewhere may lie beside a configuration that nobody trusts.
  const isOfWorkspace = path !== undefined && folders.some((folder) => isWithin(folder, path));
  return mayAsk && isOfWorkspace ? host.configuredRules(path, cwd) : { known: nothingConfigured };
}

function sleep<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}
