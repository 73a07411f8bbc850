import { pathToFileURL } from 'node:url';
import { socketVariables } from '../../monitor/options.ts';

export interface WatchedEnvironment {
  /** The bundle of `monitor/register.ts`. */
  readonly registerPath: string;
  readonly socketPath: string;
  readonly token: string;
}

/**
 * The variables that make Node.js load the monitor first and the monitor report to a socket. What `NODE_OPTIONS` held stays in front.
 * A `file:` URL has neither blanks nor quotes nor backslashes, so that nothing of it means something else to whoever splits `NODE_OPTIONS`.
 */
export function watchedEnvironment(
  { registerPath, socketPath, token }: WatchedEnvironment,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const ours = `--import=${pathToFileURL(registerPath).href}`;
  const theirs = (environment['NODE_OPTIONS'] ?? '').trim();
  const options = theirs.split(/\s+/).includes(ours) ? theirs : `${theirs} ${ours}`.trim();
  return {
    NODE_OPTIONS: options,
    [socketVariables.path]: socketPath,
    [socketVariables.token]: token,
  };
}
