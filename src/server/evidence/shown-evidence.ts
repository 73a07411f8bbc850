import {
  Emitter,
  type Connection,
  type Disposable,
  type TextDocuments,
} from 'vscode-languageserver';
import { positionsIn } from '../../lint/positions.ts';
import type { Evidence } from '../../running/evidence.ts';
import type { Settings } from '../../settings/settings.ts';
import { isExcluded, type Check, type Checks } from '../checks.ts';
import type { HostFiles } from '../host.ts';
import { runningEvidence } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';
import { findHome, type Home, type RanFile } from './find-home.ts';
import { readEvidence } from './read-evidence.ts';
import { findWorkspaceFiles, type WorkspaceFile } from './workspace-files.ts';

/** Evidence of running applications beside the texts of the workspace. */
export interface ShownEvidence {
  /** What belongs to a document that was just checked. */
  in(check: Check): Promise<readonly Home[]>;
  /** What belongs to files that are not open. */
  inClosedFiles(): Promise<readonly Home[]>;
  /** Calls back when there is other evidence. */
  onChange(listener: () => void): Disposable;
}

export interface ShownEvidenceOptions {
  readonly connection: Connection;
  readonly documents: TextDocuments<Snapshot>;
  readonly checks: Checks;
  readonly files: HostFiles | undefined;
  readonly folders: () => readonly string[];
  readonly settingsOf: (uri: string) => Promise<Settings>;
}

/** Keeps the evidence that the editor tells, and finds the places of now for it. */
export function createShownEvidence(options: ShownEvidenceOptions): ShownEvidence {
  const { connection, documents, files } = options;
  const changed = new Emitter<void>();
  const ranText = rememberRanTexts(async (path) => files?.textOf(path));
  let told: readonly Evidence[] = [];
  connection.onNotification(runningEvidence.method, (all: unknown) => {
    const before = JSON.stringify(told);
    told = readEvidence(all);
    if (JSON.stringify(told) !== before) changed.fire();
  });
  const findHomes = async (latest?: Check): Promise<readonly Home[]> => {
    if (told.length === 0 || files === undefined) return [];
    const now = told;
    const fileNow = oncePerPath(createLook(options, files, latest));
    const homes = await Promise.all(
      now.map(async (evidence) => {
        const paths = [
          ...new Set(
            [...evidence.stack, ...evidence.related.map(({ place }) => place)].map(
              ({ file }) => file,
            ),
          ),
        ];
        const ran = new Map(
          await Promise.all(
            paths.map(
              async (path) =>
                [path, await withRanText(await fileNow(path), ranText, evidence)] as const,
            ),
          ),
        );
        return findHome(evidence, (path) => ran.get(path)) ?? [];
      }),
    );
    return homes.flat();
  };
  return {
    in: async (check) =>
      (await findHomes(check)).filter(({ file: { uri } }) => uri === check.snapshot.uri),
    inClosedFiles: async () =>
      (await findHomes()).filter(({ file: { uri } }) => documents.get(uri) === undefined),
    onChange: (listener) => changed.event(listener),
  };
}

type FileNow = Omit<RanFile, 'ranText'> & Pick<WorkspaceFile, 'realPath'>;

async function withRanText(
  file: FileNow | undefined,
  ranText: RanText,
  { startedAt }: Evidence,
): Promise<RanFile | undefined> {
  const text = file && (await ranText(file.realPath, startedAt));
  return file === undefined || text === undefined ? undefined : { ...file, ranText: text };
}

/** Reads what there is now of a file that ran; undefined for one that is not to be checked, or is not of the workspace. */
function createLook(
  { documents, folders, settingsOf, checks }: ShownEvidenceOptions,
  files: HostFiles,
  latest: Check | undefined,
): (path: string) => Promise<FileNow | undefined> {
  const workspaceFiles = findWorkspaceFiles(documents.all(), folders(), files);
  return async (path) => {
    const workspaceFile = await (await workspaceFiles)(path);
    if (workspaceFile === undefined) return undefined;
    const { uri, way, realPath, snapshot } = workspaceFile;
    const settings = await settingsOf(uri);
    if (!settings['lint.enable'] || isExcluded(way, settings['lint.exclude'])) return undefined;
    if (snapshot === undefined) {
      const onDisk = await files.textOf(realPath);
      return (
        onDisk && {
          uri,
          realPath,
          positions: positionsIn(onDisk.text),
          problems: [],
          silenced: [],
          spans: () => [],
        }
      );
    }
    const { problems, problemsAside, linted } =
      latest?.snapshot === snapshot ? latest : await checks.of(snapshot);
    const silenced = (linted?.suppressed ?? []).flatMap(({ rule, place }) =>
      rule === null ? [] : [{ rule, line: place.start.line }],
    );
    return {
      uri,
      realPath,
      positions: snapshot.positions,
      problems: [...problems, ...problemsAside],
      silenced,
      spans: () => linted?.spans() ?? [],
    };
  };
}

function oncePerPath<Found>(
  find: (path: string) => Promise<Found>,
): (path: string) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();
  return (path) => {
    const found = known.get(path) ?? find(path);
    known.set(path, found);
    return found;
  };
}

/** The text of a file that an application that started at a time has run; undefined when the file was changed since. */
type RanText = (path: string, startedAt: number) => Promise<string | undefined>;

/** Starts of applications whose texts are kept, so that what is edited later can be compared with what ran. */
const mostStarts = 20;

function rememberRanTexts(textOf: HostFiles['textOf']): RanText {
  const starts = new Map<number, Map<string, Promise<string | undefined>>>();
  const read = async (path: string, startedAt: number): Promise<string | undefined> => {
    const now = await textOf(path);
    return now !== undefined && now.changedAt <= startedAt ? now.text : undefined;
  };
  return (path, startedAt) => {
    const texts = starts.get(startedAt) ?? new Map<string, Promise<string | undefined>>();
    starts.set(startedAt, texts);
    const [oldest] = starts.keys();
    if (starts.size > mostStarts && oldest !== undefined) starts.delete(oldest);
    const text = texts.get(path) ?? read(path, startedAt);
    texts.set(path, text);
    return text;
  };
}
