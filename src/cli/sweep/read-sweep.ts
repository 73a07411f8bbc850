import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { toPlainText } from '../../activity/plain-text.ts';
import type { UserStage } from '../../probe/experiment.ts';
import { fieldReportStages, stretchStages } from '../../probe/users/users-at.ts';
import type { LoadTool } from '../../sweep/load/load-tool.ts';
import type { SweepRequest } from '../../sweep/sweep-request.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun } from '../exit-code.ts';
import type { ExportFlags } from '../export/export-options.ts';
import type { SharingFlags } from '../probe/options/limit-options.ts';
import type { OutputFlags } from '../probe/options/output-options.ts';
import { hintAtFiles, isTargetNamed, readTarget, type TargetFlags } from '../read-target.ts';
import { readHttp, type HttpFlags } from './http-options.ts';

/** What the command line says. */
export interface SweepFlags extends HttpFlags, OutputFlags, ExportFlags, TargetFlags, SharingFlags {
  readonly start?: string;
  readonly env: string;
  readonly live?: true;
  readonly sizes: readonly number[];
  readonly stages?: readonly UserStage[];
  readonly users?: number;
  readonly seconds?: number;
  readonly think: number;
  readonly passes: number;
  readonly readyUrl?: string;
  readonly readyTimeout: number;
  readonly stopTimeout: number;
  readonly cwd?: string;
  readonly load: LoadTool['name'];
  readonly database?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly allowProduction?: true;
}

/** What a sweep is asked to do; what cannot be done is refused before anything is started. */
export async function readRequest(flags: SweepFlags, io: CliIo): Promise<SweepRequest> {
  const {
    start,
    env,
    live,
    sizes,
    think,
    passes,
    readyUrl,
    readyTimeout,
    stopTimeout,
    workers,
    instances,
    deployOverlap,
  } = flags;
  if (start === undefined)
    throw new CouldNotRun(
      '--start is needed: what starts the application, such as --start "npm run dev".',
    );
  if (!/^[A-Za-z_]\w*$/.test(env))
    throw new CouldNotRun('--env names a variable, such as POOL_MAX; its value is one of --sizes.');
  const folder = resolve(io.cwd, flags.cwd ?? '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CouldNotRun(`--cwd: there is no folder ${toPlainText(folder)}.`);
  const http = await readHttp(flags, io.cwd);
  const database = await readDatabase(flags, io);
  return {
    command: start,
    folder,
    http,
    passes,
    variable: live === true ? null : env,
    sizes: [...new Set(sizes)].sort((one, other) => one - other),
    stages: toStages(flags),
    thinkMs: think,
    readyUrl: readyUrl ?? null,
    readyTimeoutMs: readyTimeout * 1000,
    stopTimeoutMs: stopTimeout * 1000,
    workers,
    instances,
    deployOverlap,
    database,
    databaseHint: database === null ? await hintAtFiles(folder, io) : null,
    allowProduction: flags.allowProduction === true,
    dryRun: flags.dryRun === true,
  };
}

/** Null where nobody named a database: a sweep needs none of its own. */
async function readDatabase(flags: SweepFlags, io: CliIo): Promise<SweepRequest['database']> {
  const { database: url, service, databaseFrom } = flags;
  return isTargetNamed(url, flags, io)
    ? {
        ...(await readTarget(url, flags, io)),
        isAsked: [url, service, databaseFrom].some((each) => each !== undefined),
      }
    : null;
}

const defaultSeconds = 20;

/** The users of each size, stage by stage. */
export function toStages({ stages, users, seconds }: SweepFlags): readonly UserStage[] {
  if (stages !== undefined) return stages;
  if (users !== undefined)
    return [0.2, 0.8].map((share) => ({ seconds: share * (seconds ?? defaultSeconds), users }));
  return seconds === undefined ? fieldReportStages : stretchStages(fieldReportStages, seconds);
}
