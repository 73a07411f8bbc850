import { InvalidArgumentError, type Command } from 'commander';
import { commonDefaults, type Access, type CommonRequest } from '../../../probe/request.ts';
import type { CliIo } from '../../cli-io.ts';
import { CouldNotRun } from '../../exit-code.ts';
import { readTarget } from '../../read-target.ts';
import { readCount } from './read-count.ts';

export interface LimitFlags {
  readonly max: number;
  /** A connection string as it was given; it may hold a password. */
  readonly server?: string;
}

export interface SharingFlags {
  readonly workers: number;
  readonly instances: number;
  readonly deployOverlap: number;
}

const sharingHelp = `
Limits: every pool of the application counts, workers × instances × (1 + deploy overlap) of them. The recommended max keeps all of them together below
max_connections without the reserved slots, what others use, and ten for people (a tenth on a small server), below the limits of role and database, and below
what a PgBouncer in between takes; the result says which of these binds, with its arithmetic. Behind a PgBouncer it recommends default_pool_size too.`;

/** How many connections the load may have, and where they are watched. */
export function addLimitOptions(command: Command): void {
  command
    .optionsGroup('Limits:')
    .option('--max <connections>', 'largest pool size to try', readCount(2, 96), commonDefaults.max)
    .option(
      '--server <url>',
      'behind a pooler, the address of PostgreSQL itself: watches the backends there instead of through the pooler',
    );
}

/** How many pools share the server, for commands that say what each may have. */
export function addSharingOptions(command: Command): void {
  addSharing(command.optionsGroup('Limits:'), '', commonDefaults);
  command.addHelpText('after', sharingHelp);
}

/** The same for commands that only write it into a script. */
export function addSharingOfExport(command: Command): void {
  addSharing(command, 'of --export: ', {});
}

function addSharing(
  command: Command,
  of: string,
  { workers, instances, deployOverlap }: Partial<SharingFlags>,
): void {
  command
    .option(
      '--workers <processes>',
      `${of}processes of one application instance that each have a pool (cluster, PM2)`,
      readCount(1, 10_000),
      workers,
    )
    .option(
      '--instances <count>',
      `${of}machines or containers that run the application`,
      readCount(1, 10_000),
      instances,
    )
    .option(
      '--deploy-overlap <share>',
      `${of}share of the instances that run twice during a deploy: 1 for blue and green, 0.25 for a rolling one`,
      readShare,
      deployOverlap,
    );
}

/** Throws `CouldNotRun` for a `--server` that cannot be read. */
export async function readLimits(
  { max, server }: LimitFlags,
  io: Pick<CliIo, 'cwd' | 'env' | 'stderr'>,
): Promise<Pick<CommonRequest, 'max' | 'server'>> {
  return {
    max,
    server: server === undefined ? commonDefaults.server : await readServer(server, io),
  };
}

export function readSharing({
  workers,
  instances,
  deployOverlap,
}: Partial<SharingFlags>): SharingFlags {
  const { workers: one, instances: single, deployOverlap: none } = commonDefaults;
  return {
    workers: workers ?? one,
    instances: instances ?? single,
    deployOverlap: deployOverlap ?? none,
  };
}

/** Not read by commander, whose message would repeat the argument with its password. */
async function readServer(
  text: string,
  io: Pick<CliIo, 'cwd' | 'env' | 'stderr'>,
): Promise<Access> {
  try {
    return await readTarget(text, {}, io);
  } catch (error) {
    throw error instanceof CouldNotRun ? new CouldNotRun(`--server: ${error.message}`) : error;
  }
}

/** From 0 to 1, or as a percentage. */
function readShare(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent === '%' ? 100 : 1);
  if (digits === undefined || share > 1)
    throw new InvalidArgumentError('It must be a share from 0 to 1, such as 0.25 or 25%.');
  return share;
}
