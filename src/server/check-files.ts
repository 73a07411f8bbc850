import type {
  CancellationToken,
  WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { relative } from 'node:path';
import { inThreads } from '../lint/in-threads.ts';
import type { LintThread } from '../lint/lint-thread.ts';
import { positionsIn } from '../lint/positions.ts';
import { nothingFound } from '../lint/thread-messages.ts';
import { factsOf, ruleIdsOf } from '../lint/analyser.ts';
import type { Settings } from '../settings/settings.ts';
import { isExcluded } from './checks.ts';
import { settledRules } from './configured-for.ts';
import type { HostFiles } from './host.ts';
import { folderOf, pathOfUri, uriOfPath } from './path-of-document.ts';
import { toLintSettings } from './server-settings.ts';
import type { Session } from './session.ts';
import { locationsIn, toDiagnostics } from './to-diagnostics.ts';

/** What was found in one file, also when that is nothing. */
export type FileReport = WorkspaceFullDocumentDiagnosticReport;

/** A file that is not open, and the workspace folder that it belongs to. */
export interface Candidate {
  readonly path: string;
  readonly cwd: string;
}

/** Every source file of the workspace that is not open, each once. */
export async function findCandidates(
  session: Session,
  files: HostFiles,
): Promise<readonly Candidate[]> {
  const { folders } = session.client();
  const found = await Promise.all(folders.map((folder) => files.sourcesIn(folder)));
  return withoutOpen(session, [...new Set(found.flat())]);
}

/** Those of the addresses that are files of this machine and not open. */
export function candidatesAt(session: Session, uris: readonly string[]): readonly Candidate[] {
  return withoutOpen(
    session,
    uris.flatMap((uri) => pathOfUri(uri) ?? []),
  );
}

function withoutOpen({ open, client }: Session, paths: readonly string[]): readonly Candidate[] {
  const texts = open.texts();
  return paths
    .filter((path) => !texts.has(path))
    .map((path) => ({ path, cwd: folderOf(path, client().folders) }));
}

/** Checks files in as many threads as are worth it there; `onDone` gets each, in whatever order. Ends early when cancelled. */
export async function checkFilesOnDisk(
  session: Session,
  files: HostFiles,
  candidates: readonly Candidate[],
  { token, threads }: { readonly token: CancellationToken; readonly threads: number },
  onDone: (report: FileReport) => void,
): Promise<void> {
  const settingsIn = rememberFolders(session);
  const check = async (thread: LintThread, { path, cwd }: Candidate): Promise<FileReport> => {
    const settings = await settingsIn(cwd);
    const isWanted =
      settings['lint.enable'] &&
      !isExcluded(relative(cwd, path), settings['lint.exclude']) &&
      session.host.isDriverNear(path, cwd);
    const uri = uriOfPath(path);
    const { problems, text, beside, mistake } = isWanted
      ? await thread.lint({ path, settings: await lintSettingsFor(path, cwd, settings, session) })
      : nothingFound;
    session.mistakes.note(uri, mistake);
    const locationOf = locationsIn(uri, positionsIn(text), beside);
    const items = toDiagnostics(
      problems,
      locationOf,
      (rule) => factsOf(session.analyser, rule).url,
    );
    return { kind: 'full', uri, version: null, items };
  };
  const stop = new AbortController();
  const cancelled = token.onCancellationRequested(() => {
    stop.abort();
  });
  const start = { open: session.open.texts() };
  const started = Array.from({ length: threads }, () => files.startLinting(start));
  try {
    await inThreads(candidates, started, check, (_, report) => onDone(report), stop.signal);
  } finally {
    cancelled.dispose();
  }
}

/** Settings may differ between folders, not within them. */
export function rememberFolders(session: Session): (folder: string) => Promise<Settings> {
  const known = new Map<string, Promise<Settings>>();
  return (folder) => {
    const settings = known.get(folder) ?? session.settingsOf(uriOfPath(folder));
    known.set(folder, settings);
    return settings;
  };
}

/** Severities and options of the workspace's ESLint count here, too; nothing steps aside, because ESLint's extension shows open files only. */
export async function lintSettingsFor(
  path: string,
  cwd: string,
  settings: Settings,
  { client, host, analyser }: Session,
) {
  const configured = await settledRules({ path, cwd, settings, host, client: client() });
  return toLintSettings(settings, configured, ruleIdsOf(analyser));
}
