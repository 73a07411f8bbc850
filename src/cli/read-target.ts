import { parseTarget, targetFromEnvironment, type ConnectionTarget } from '../database/target.ts';
import type { Secret } from '../database/secret.ts';
import type { CliIo } from './cli-io.ts';
import { CouldNotRun } from './exit-code.ts';

/** For the help of every command that takes a connection string. */
export const targetHelp = `
The connection string is the argument, else DATABASE_URL, else the PG* variables of libpq. Prefer a variable, or
PGPASSWORD beside a connection string without a password: arguments show up in the shell's history and in the list of processes.
TLS: off for this machine, verified for every other host; sslmode=disable, verify-full or no-verify in the connection string says otherwise.`;

/** Throws `CouldNotRun` with a sentence when there is no target, or none that can be read. */
export function readTarget(text: string | undefined, { env }: Pick<CliIo, 'env'>): { readonly target: ConnectionTarget; readonly secret: Secret | null } {
  const parsed = text === undefined ? targetFromEnvironment(env) : parseTarget(text, env);
  if (parsed === null) throw new CouldNotRun('No database named: set DATABASE_URL (postgres://user@host:5432/database), or give a connection string as the argument.');
  if (parsed.kind === 'problem') throw new CouldNotRun(text === undefined && env['DATABASE_URL'] ? parsed.sentence.replace('The connection string', 'The connection string in DATABASE_URL') : parsed.sentence);
  return parsed;
}
