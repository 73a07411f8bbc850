import { relative } from 'node:path';
import type { Range } from 'vscode-languageserver';
import { isSidePath } from '../../rules/model/pool-life.ts';
import type { PoolOption } from '../../rules/index.ts';
import { createInspector, type InspectedFile, type SourceText } from '../lint/linter.ts';
import { namesDriver } from '../lint/may-use-pool.ts';
import { ruleIdsOf } from '../lint/analyser.ts';
import { positionsIn } from '../lint/positions.ts';
import { createProgram, type Program } from '../lint/program.ts';
import { toEdit } from './actions/to-edit.ts';
import { isExcluded } from './checks.ts';
import { nothingConfigured } from './host.ts';
import { folderOf, pathOfUri, uriOfPath } from './path-of-document.ts';
import { answer } from './answer.ts';
import { PoolChange, InDocument, Nothing, type PoolOptionValues } from './asked.ts';
import {
  declaredPools,
  poolEdits,
  poolsInDocument,
  type DeclaredPools,
  type PoolDeclaration,
  type PoolEdits,
} from './protocol.ts';
import { toLintSettings } from './server-settings.ts';
import type { Feature, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

/** Answers which pools the code makes, and how options are written into them. */
export const declaredPoolsFeature: Feature = {
  capabilities: () => ({}),
  register(session) {
    const { connection, documents } = session;
    let onDisk: Promise<DeclaredPools> | undefined;
    session.onStale(() => (onDisk = undefined));
    const readDisk = () => {
      const reading = (onDisk ??= poolsOnDisk(session));
      // A failure must not be remembered as the answer.
      reading.catch(() => onDisk === reading && (onDisk = undefined));
      return reading;
    };
    answer(connection, declaredPools, Nothing, async () =>
      withOpenDocuments(await readDisk(), session),
    );
    answer(connection, poolsInDocument, InDocument, async ({ uri }) => {
      const snapshot = documents.get(uri);
      return snapshot === undefined ? [] : poolsIn(snapshot, session);
    });
    answer(connection, poolEdits, PoolChange, async ({ uri, range, values }) => {
      const snapshot = documents.get(uri);
      return snapshot === undefined ? null : editsIn(snapshot, range, values, session);
    });
  },
};

/** What is being typed counts, not what is on the disk. */
async function withOpenDocuments(
  { pools, isCut }: DeclaredPools,
  session: Session,
): Promise<DeclaredPools> {
  const all = session.documents.all();
  const open = new Set(all.map(({ uri }) => pathOfUri(uri)));
  const typed = await Promise.all(all.map((snapshot) => poolsIn(snapshot, session)));
  return {
    pools: [...pools.filter(({ uri }) => !open.has(pathOfUri(uri))), ...typed.flat()],
    isCut,
  };
}

async function poolsIn(
  snapshot: Snapshot,
  { checks, client }: Session,
): Promise<readonly PoolDeclaration[]> {
  const { linted } = await checks.of(snapshot);
  return linted === undefined ? [] : toDeclarations(linted, snapshot, client().folders);
}

async function poolsOnDisk(session: Session): Promise<DeclaredPools> {
  const { folders } = session.client();
  const { files, isCut } = (await session.host.files?.withPools(folders)) ?? {
    files: [],
    isCut: false,
  };
  const pools: PoolDeclaration[] = [];
  const program = createProgram();
  for (const file of files) {
    pools.push(...(await poolsInFile(file, program, session)));
    // A keystroke must not wait for the whole workspace.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { pools, isCut };
}

async function poolsInFile(
  { path, text }: SourceText,
  program: Program,
  session: Session,
): Promise<readonly PoolDeclaration[]> {
  const { analyser, host } = session;
  const { folders } = session.client();
  const cwd = folderOf(path, folders);
  const uri = uriOfPath(path);
  const settings = await session.settingsOf(uri);
  if (
    !settings['lint.enable'] ||
    isExcluded(relative(cwd, path), settings['lint.exclude']) ||
    !(namesDriver(text) || host.isDriverNear(path, cwd))
  )
    return [];
  const inspect = createInspector(
    analyser,
    toLintSettings(settings, nothingConfigured, ruleIdsOf(analyser)),
    program,
  );
  return toDeclarations(inspect({ path, text }), { uri, positions: positionsIn(text) }, folders);
}

function toDeclarations(
  file: InspectedFile,
  { uri, positions }: Pick<Snapshot, 'uri' | 'positions'>,
  folders: readonly string[],
): readonly PoolDeclaration[] {
  const isAside = isSidePath(relative(folderOf(file.path, folders), file.path));
  return file.pools().map((pool) => ({
    uri,
    range: positions.ofPlace(pool.place),
    name: pool.name,
    max: valueOf(pool.options.max),
    isMaxDefault: pool.options.max.kind === 'default',
    variable: pool.options.max.kind === 'fallback' ? pool.options.max.variable : undefined,
    connectionTimeoutMillis: valueOf(pool.options.connectionTimeoutMillis),
    idleTimeoutMillis: valueOf(pool.options.idleTimeoutMillis),
    isAside,
    isWritable: file.poolEdits(pool, { max: 1 }) !== undefined,
  }));
}

function valueOf(option: PoolOption): number | undefined {
  return option.kind === 'unknown' ? undefined : option.value;
}

async function editsIn(
  snapshot: Snapshot,
  range: Range,
  values: PoolOptionValues,
  { checks }: Session,
): Promise<PoolEdits | null> {
  const { version, positions } = snapshot;
  const { linted } = await checks.of(snapshot);
  const pool = linted?.pools().find(({ place }) => isSame(positions.ofPlace(place), range));
  const edits = pool && linted?.poolEdits(pool, values);
  return edits === undefined
    ? null
    : { version, edits: edits.map((edit) => toEdit(positions, edit)) };
}

function isSame(one: Range, other: Range): boolean {
  return [
    [one.start, other.start],
    [one.end, other.end],
  ].every(([a, b]) => a?.line === b?.line && a?.character === b?.character);
}
