import { toPlainText } from '../activity/plain-text.ts';
import { redact } from '../database/secret.ts';
import type { CliIo } from './cli-io.ts';

/** Writes where an unexpected error comes from, for those who want to know. */
export function writeStack(stack: string | undefined, { env, stderr }: CliIo): void {
  if (env['POOLGUARD_DEBUG'] !== '1' || stack === undefined) return;
  const lines = redact(stack, null).split('\n').map(toPlainText);
  stderr.write(`${lines.join('\n')}\n`);
}
