import { homedir } from 'node:os';
import { readPasswordFile, readServiceFiles, type Machine } from '../connections/libpq-files.ts';
import { findPassword } from '../connections/pgpass.ts';
import { environmentParameters, parseTarget, targetFromEnvironment, targetFromParameters, type ConnectionTarget, type ParsedTarget } from '../database/target.ts';
import type { Secret } from '../database/secret.ts';
import type { CliIo } from './cli-io.ts';
import { CouldNotRun } from './exit-code.ts';

/** For the help of every command that takes a connection string. */
export const targetHelp = `
The connection string is the argument, else the --service of pg_service.conf, else DATABASE_URL, else PGSERVICE, else the PG* variables of libpq.
Prefer a variable, or PGPASSWORD or ~/.pgpass beside a connection string without a password: arguments show up in the shell's history and in the list of processes.
TLS: off for this machine, verified for every other host; sslmode=disable, verify-full or no-verify in the connection string says otherwise.`;

export const serviceOption = ['--service <name>', 'a service of ~/.pg_service.conf, PGSERVICEFILE or PGSYSCONFDIR'] as const;

export interface NamedTarget {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
}

/**
 * The connection that the argument, the service or the environment names; its password, where they hold none, from the password file.
 * Throws `CouldNotRun` with a sentence when there is no target, or none that can be read.
 */
export async function readTarget(text: string | undefined, io: Pick<CliIo, 'env' | 'stderr'>, service?: string): Promise<NamedTarget> {
  const machine: Machine = { environment: io.env, home: io.env['HOME'] ?? homedir(), platform: process.platform };
  if (text !== undefined && service !== undefined) throw new CouldNotRun('Name either a connection string or a service, not both.');
  const parsed = await readNamed(text, machine, service);
  if (parsed === null) throw new CouldNotRun('No database named: set DATABASE_URL (postgres://user@host:5432/database), or give a connection string as the argument.');
  if (parsed.kind === 'problem') throw new CouldNotRun(text === undefined && service === undefined && io.env['DATABASE_URL'] ? parsed.sentence.replace('The connection string', 'The connection string in DATABASE_URL') : parsed.sentence);
  return { target: parsed.target, secret: parsed.secret ?? (await readPassword(parsed.target, machine, io)) };
}

async function readNamed(text: string | undefined, machine: Machine, service: string | undefined): Promise<ParsedTarget | null> {
  const { environment } = machine;
  if (text !== undefined) return parseTarget(text, environment);
  if (service !== undefined) return readService(service, machine);
  if (environment['DATABASE_URL']) return targetFromEnvironment(environment);
  return environment['PGSERVICE'] ? readService(environment['PGSERVICE'], machine) : targetFromEnvironment(environment);
}

/** What the service says counts for more than the environment, as in libpq (fe-connect.c, conninfo_add_defaults). */
async function readService(name: string, machine: Machine): Promise<ParsedTarget> {
  const files = await readServiceFiles(machine);
  const parameters = files.map(({ services }) => services.get(name)).find((each) => each !== undefined);
  if (parameters === undefined) throw new CouldNotRun(`There is no service "${name}" in ${files.map(({ file }) => file).join(' or ')}.`);
  const read = targetFromParameters({ ...environmentParameters(machine.environment), ...parameters });
  return read.kind === 'problem' ? { ...read, sentence: read.sentence.replaceAll('the connection string', `the service "${name}"`).replace('The connection string', `The service "${name}"`) } : read;
}

async function readPassword(target: ConnectionTarget, machine: Machine, { stderr }: Pick<CliIo, 'stderr'>): Promise<Secret | null> {
  const { lines, warning } = await readPasswordFile(machine);
  if (warning !== null) stderr.write(`${warning}\n`);
  return findPassword(lines, target);
}
