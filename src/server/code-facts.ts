import { relative } from 'node:path';
import { slashed } from '../files/slashed.ts';
import { isSidePath } from '../../rules/model/pool-life.ts';
import type { CodeFacts } from '../linking/linked-code.ts';
import { codeOfFile, mayHoldCode, noFileCode, type FileCode } from '../lint/file-code.ts';
import { createInspector } from '../lint/linter.ts';
import type { LintThread } from '../lint/lint-thread.ts';
import { namesDriver } from '../lint/may-use-pool.ts';
import { ruleIdsOf } from '../lint/analyser.ts';
import type { Settings } from '../settings/settings.ts';
import { lintSettingsFor, rememberFolders } from './check-files.ts';
import { isExcluded } from './checks.ts';
import { mostFiles, nothingConfigured, type HostFiles } from './host.ts';
import { folderOf, pathOfUri, uriOfPath } from './path-of-document.ts';
import { answer } from './answer.ts';
import { Nothing } from './asked.ts';
import { codeFacts } from './protocol.ts';
import { toLintSettings } from './server-settings.ts';
import type { Feature, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

/** What was read of a file, for as long as the file and what it is read with stay the same. */
interface Read {
  readonly stamp: string;
  readonly code: FileCode;
}

type Known = ReadonlyMap<string, Read>;

/** Tells where the code writes what sessions of a server run. Files of the disk are read in a thread, one version once. */
export const codeFactsFeature: Feature = {
  capabilities: () => ({}),
  register(session) {
    let known: Known = new Map();
    let latest: Promise<unknown> = Promise.resolve();
    answer(session.connection, codeFacts, Nothing, () => {
      // One after the other, so that each finds what the one before has read.
      const facts = latest
        .catch(() => undefined)
        .then(() => readWorkspace(session, known))
        .then((read) => {
          known = read.known;
          return read.facts;
        });
      latest = facts;
      return facts;
    });
  },
};

async function readWorkspace(
  session: Session,
  before: Known,
): Promise<{ readonly known: Known; readonly facts: CodeFacts }> {
  const { files } = session.host;
  const disk =
    files === undefined
      ? { known: new Map<string, Read>(), isCut: false }
      : await readDisk(session, files, before);
  const open = await readOpen(session);
  const codes = new Map([
    ...[...disk.known].map(([path, { code }]) => [path, code] as const),
    ...open,
  ]);
  return { known: disk.known, facts: toFacts(codes, disk.isCut, session) };
}

async function readDisk(
  session: Session,
  files: HostFiles,
  before: Known,
): Promise<{ readonly known: Known; readonly isCut: boolean }> {
  const { folders } = session.client();
  const found = [
    ...new Set(
      (
        await Promise.all(
          folders.flatMap((folder) => [files.sourcesIn(folder), files.sqlIn(folder)]),
        )
      ).flat(),
    ),
  ];
  const thread = files.startLinting({ open: session.open.texts() });
  const settingsIn = rememberFolders(session);
  const known = new Map<string, Read>();
  try {
    for (const path of found.slice(0, mostFiles)) {
      const cwd = folderOf(path, folders);
      const settings = await settingsIn(cwd);
      const version = isExcluded(relative(cwd, path), settings['lint.exclude'])
        ? undefined
        : await files.stampOf(path);
      if (version === undefined) continue;
      const stamp = `${version} ${JSON.stringify(settings)}`;
      const last = before.get(path);
      known.set(
        path,
        last?.stamp === stamp
          ? last
          : { stamp, code: await readFile(path, cwd, settings, thread, session) },
      );
    }
  } finally {
    await thread.end();
  }
  return { known, isCut: found.length > mostFiles };
}

async function readFile(
  path: string,
  cwd: string,
  settings: Settings,
  thread: LintThread,
  session: Session,
): Promise<FileCode> {
  const isLinted = settings['lint.enable'] && session.host.isDriverNear(path, cwd);
  const lintSettings = isLinted
    ? await lintSettingsFor(path, cwd, settings, session)
    : toLintSettings(settings, nothingConfigured, ruleIdsOf(session.analyser));
  const { code, mistake } = await thread.read({ path, settings: lintSettings, isLinted });
  session.mistakes.note(uriOfPath(path), mistake);
  return code;
}

/** What is being typed counts, not what is on the disk. */
async function readOpen(
  session: Session,
): Promise<readonly (readonly [path: string, code: FileCode])[]> {
  const read = await Promise.all(
    session.documents.all().map(async (snapshot) => {
      const path = pathOfUri(snapshot.uri);
      return path === undefined
        ? []
        : [[path, await readSnapshot(snapshot, path, session)] as const];
    }),
  );
  return read.flat();
}

async function readSnapshot(snapshot: Snapshot, path: string, session: Session): Promise<FileCode> {
  const { folders } = session.client();
  const cwd = folderOf(path, folders);
  const { uri, text } = snapshot;
  const settings = await session.settingsOf(uri);
  if (isExcluded(relative(cwd, path), settings['lint.exclude'])) return noFileCode;
  const { linted } = await session.checks.of(snapshot);
  if (linted !== undefined) return codeOfFile(linted, true);
  if (!mayHoldCode(text)) return noFileCode;
  const inspect = createInspector(
    session.analyser,
    toLintSettings(settings, nothingConfigured, ruleIdsOf(session.analyser)),
    session.open.program,
  );
  return codeOfFile(inspect({ path, text }), settings['lint.enable'] && namesDriver(text));
}

function toFacts(
  codes: ReadonlyMap<string, FileCode>,
  isCut: boolean,
  session: Session,
): CodeFacts {
  const { folders } = session.client();
  const placed = [...codes]
    .filter(
      ([, { statements, queries, pools }]) => statements.length + queries.length + pools.length > 0,
    )
    .map(([path, code]) => {
      const within = slashed(relative(folderOf(path, folders), path));
      return { code, place: { uri: uriOfPath(path), path: within, isAside: isSidePath(within) } };
    });
  return {
    statements: placed.flatMap(({ code, place }) =>
      code.statements.map((statement) => ({ ...place, ...statement })),
    ),
    queries: placed.flatMap(({ code, place }) =>
      code.queries.map((query) => ({ ...place, ...query })),
    ),
    pools: placed.flatMap(({ code, place }) => code.pools.map((pool) => ({ ...place, ...pool }))),
    isCut,
  };
}
