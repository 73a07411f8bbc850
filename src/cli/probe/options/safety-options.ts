import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { commonDefaults, type CommonRequest } from '../../../probe/request.ts';
import { readCount } from './read-count.ts';

/** What is agreed to before anything runs. */
export interface ConsentFlags {
  readonly allowProduction?: true;
  readonly allowRole?: string;
  readonly trustOwner?: readonly string[];
  readonly yes?: true;
}

export interface SafetyFlags extends ConsentFlags {
  readonly seconds: number;
  readonly dryRun?: true;
}

export interface ThreadFlags {
  readonly threads: number;
}

/** How long, and what has to be agreed to. */
export function addSafetyOptions(command: Command): void {
  command
    .optionsGroup('Time and consent:')
    .option(
      '--seconds <seconds>',
      'time for the whole probe',
      readCount(5, 120),
      commonDefaults.seconds,
    )
    .option(
      '--dry-run',
      'say what would be done, and what the statements call; none of them is run',
    );
  addConsentOptions(command);
}

export function addConsentOptions(command: Command): void {
  command
    .optionsGroup('Time and consent:')
    .option('-y, --yes', 'start without asking; required when non-interactive')
    .option('--allow-production', 'probe a database that looks like production')
    .option(
      '--allow-role <name>',
      'run as this role although it is a superuser, or may reach programs or files of the server',
    )
    .option(
      '--trust-owner <name>',
      'run statements although this role (or foreign server, server:name) has code that they may call; may be repeated',
      (name: string, before: readonly string[] = []) => [...before, name],
    );
}

export function addThreadOption(command: Command): void {
  command
    .optionsGroup('Limits:')
    .option(
      '--threads <threads>',
      "threads that make the load: more than one shows what the database can do beyond one Node process's reach, on a machine with cores to spare",
      readCount(1, availableParallelism()),
      commonDefaults.threads,
    );
}

type Consent = Pick<CommonRequest, 'allowProduction' | 'allowRole' | 'trustOwners'>;
type Safety = Consent & Pick<CommonRequest, 'seconds' | 'dryRun'>;

export function readSafety(flags: SafetyFlags): Safety {
  return { seconds: flags.seconds, dryRun: flags.dryRun === true, ...readConsent(flags) };
}

export function readConsent({
  allowProduction,
  allowRole,
  trustOwner = [],
}: ConsentFlags): Consent {
  return {
    allowProduction: allowProduction === true,
    allowRole: allowRole ?? null,
    trustOwners: trustOwner,
  };
}
