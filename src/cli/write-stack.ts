import { stackOf } from '../database/secret.ts';
import type { CliIo } from './cli-io.ts';

/** Writes where an unexpected error comes from, for those who want to know; `error` may be the text of its stack. */
export function writeStack(error: unknown, { env, stderr }: CliIo): void {
  if (env['POOLGUARD_DEBUG'] === '1' && error !== undefined) stderr.write(`${stackOf(error)}\n`);
}
