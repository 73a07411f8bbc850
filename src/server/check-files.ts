import type {
  CancellationToken,
  WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { relative } from 'node:path';
import { factsOf, ruleIdsOf } from '../lint/plugin.ts';
import type { Settings } from '../settings/settings.ts';
import { isExcluded } from './checks.ts';
import { settledRules } from './configured-for.ts';
import type { HostFiles } from './host.ts';
import { folderOf, pathOfUri, uriOfPath } from './path-of-document.ts';
import { toLintSettings } from './server-settings.ts';
import type { Session } from './session.ts';
import { toDiagnostics } from './to-diagnostics.ts';

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

/** Checks one file after the other, in a thread of its own; `onDone` gets each, in this order. Ends early when cancelled. */
export async function checkFilesOnDisk(
  session: Session,
  files: HostFiles,
  candidates: readonly Candidate[],
  token: CancellationToken,
  onDone: (report: FileReport) => void,
): Promise<void> {
  const linting = files.startLinting({ open: session.open.texts() });
  const settingsIn = rememberFolders(session);
  try {
    for (const { path, cwd } of candidates) {
      if (token.isCancellationRequested) break;
      const settings = await settingsIn(cwd);
      const isWanted =
        settings['lint.enable'] &&
        !isExcluded(relative(cwd, path), settings['lint.exclude']) &&
        session.host.isDriverNear(path, cwd);
      const uri = uriOfPath(path);
      const { problems, mistake } = isWanted
        ? await linting.lint({
            path,
            settings: await lintSettingsFor(path, cwd, settings, session),
          })
        : { problems: [] };
      session.mistakes.note(uri, mistake);
      onDone({
        kind: 'full',
        uri,
        version: null,
        items: toDiagnostics(problems, uri, (rule) => factsOf(session.plugin, rule).url),
      });
    }
  } finally {
    await linting.end();
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
  { client, host, plugin }: Session,
) {
  const configured = await settledRules({ path, cwd, settings, host, client: client() });
  return toLintSettings(settings, configured, cwd, ruleIdsOf(plugin));
}
