import { homedir, userInfo } from 'node:os';
import type { Command } from 'commander';
import { toPlainText } from '../activity/plain-text.ts';
import { readPasswordFile, readServiceFiles, type Machine } from '../connections/libpq-files.ts';
import { findPassword } from '../connections/pgpass.ts';
import { findPasswordForRepository } from '../connections/found-connection.ts';
import {
  environmentParameters,
  parseTarget,
  targetFromEnvironment,
  targetFromParameters,
  type ParsedTarget,
} from '../database/target.ts';
import type { CliIo } from './cli-io.ts';
import { CouldNotRun } from './exit-code.ts';
import { type NamedTarget, refuseUnnamed, takeFromFile, tellUnnamed } from './target-files.ts';

const targetHelp = `
The connection string, or the name of a database as in psql, is the argument, else the --service of pg_service.conf or what --database-from names, else DATABASE_URL, else PGSERVICE,
else the PG* variables of libpq. A .env file is read only where --database-from says so.
Prefer one of these, or PGPASSWORD or ~/.pgpass beside a connection string without a password: arguments show up in the shell's history and in the list of processes.
TLS: off for this machine, verified for every other host; sslmode=disable, verify-full or no-verify in the connection string says otherwise.`;

/** How a command line names a database; at most one of them. */
export interface TargetFlags {
  readonly service?: string;
  readonly databaseFrom?: string;
}

/** The options beside the connection string itself, and what the help says of all three. */
export function addTargetOptions(command: Command): Command {
  return command
    .optionsGroup('Database:')
    .option('--service <name>', 'a service of ~/.pg_service.conf, PGSERVICEFILE or PGSYSCONFDIR')
    .option(
      '--database-from <file[#name]>',
      'the .env or Compose file that names the connection, as DATABASE_URL or by its name after #',
    )
    .addHelpText('after', targetHelp);
}

type TargetIo = Pick<CliIo, 'cwd' | 'env' | 'stderr'>;

/** Whether anything names a database, for commands that can do without one. */
export function isTargetNamed(
  url: string | undefined,
  { service, databaseFrom }: TargetFlags,
  { env }: Pick<CliIo, 'env'>,
): boolean {
  return [
    url,
    service,
    databaseFrom,
    env['DATABASE_URL'],
    env['PGSERVICE'],
    env['PGHOST'],
    env['PGDATABASE'],
  ].some(Boolean);
}

/**
 * The connection that the argument, the flags or the environment name; its password, where they hold none, from the password file.
 * Throws `CouldNotRun` with a sentence when there is no target, or none that can be read.
 */
export async function readTarget(
  url: string | undefined,
  flags: TargetFlags,
  io: TargetIo,
): Promise<NamedTarget> {
  const machine = machineOf(io);
  if ([url, flags.service, flags.databaseFrom].filter((each) => each !== undefined).length > 1)
    throw new CouldNotRun(
      'Name the database once: by a connection string, by --service or by --database-from.',
    );
  if (flags.databaseFrom !== undefined)
    return withPassword(
      await takeFromFile(flags.databaseFrom, io.cwd, osUserOf(machine)),
      machine,
      io,
      { ofRepository: true },
    );
  const parsed = await readNamed(url, machine, flags.service);
  if (parsed === null) return refuseUnnamed(io.cwd, osUserOf(machine));
  if (parsed.kind === 'problem')
    throw new CouldNotRun(
      url === undefined && flags.service === undefined && io.env['DATABASE_URL']
        ? parsed.sentence.replace('The connection string', 'The connection string in DATABASE_URL')
        : parsed.sentence,
    );
  return withPassword(parsed, machine, io, { ofRepository: false });
}

/** Which files of a folder name a database, for commands that can do without one; null where none does. */
export async function hintAtFiles(folder: string, io: TargetIo): Promise<string | null> {
  return tellUnnamed(io.cwd, folder, osUserOf(machineOf(io)));
}

function machineOf({ env }: TargetIo): Machine {
  const isUserKnown = ['PGUSER', 'USER', 'USERNAME'].some((name) => env[name]);
  return {
    environment: isUserKnown ? env : { ...env, USER: readOsUser() },
    home: env['HOME'] ?? homedir(),
    platform: process.platform,
  };
}

/** Whom the system takes us for, as libpq asks: containers often run without USER. Undefined for a number without a name. */
function readOsUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function osUserOf({ environment }: Machine): string | undefined {
  return environment['USER'] ?? environment['USERNAME'];
}

/** As in `psql shop`: all but the name comes from the environment. */
export function isDatabaseName(text: string): boolean {
  return /^[^\s=:/?@]+$/u.test(text);
}

async function readNamed(
  text: string | undefined,
  machine: Machine,
  service: string | undefined,
): Promise<ParsedTarget | null> {
  const { environment } = machine;
  if (text !== undefined)
    return isDatabaseName(text)
      ? targetFromParameters({ ...environmentParameters(environment), dbname: text })
      : parseTarget(text, environment);
  if (service !== undefined) return readService(service, machine);
  if (environment['DATABASE_URL']) return targetFromEnvironment(environment);
  return environment['PGSERVICE']
    ? readService(environment['PGSERVICE'], machine)
    : targetFromEnvironment(environment);
}

/** What the service says counts for more than the environment, as in libpq (fe-connect.c, conninfo_add_defaults). */
async function readService(name: string, machine: Machine): Promise<ParsedTarget> {
  const files = await readServiceFiles(machine);
  const parameters = files
    .map(({ services }) => services.get(name))
    .find((each) => each !== undefined);
  if (parameters === undefined)
    throw new CouldNotRun(
      `There is no service "${name}" in ${files.map(({ file }) => file).join(' or ')}.`,
    );
  const read = targetFromParameters({
    ...environmentParameters(machine.environment),
    ...parameters,
  });
  return read.kind === 'problem'
    ? {
        ...read,
        sentence: read.sentence
          .replaceAll('the connection string', `the service "${name}"`)
          .replace('The connection string', `The service "${name}"`),
      }
    : read;
}

/** Who wrote an address into a repository does not get a password that the user's file gives to every host. */
async function withPassword(
  { target, secret }: NamedTarget,
  machine: Machine,
  { stderr }: TargetIo,
  { ofRepository }: { readonly ofRepository: boolean },
): Promise<NamedTarget> {
  if (secret !== null) return { target, secret };
  const { lines, warning } = await readPasswordFile(machine);
  if (warning !== null) stderr.write(`${toPlainText(warning)}\n`);
  return {
    target,
    secret: ofRepository ? findPasswordForRepository(lines, target) : findPassword(lines, target),
  };
}
