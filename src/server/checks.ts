import { relative } from 'node:path';
import { createGlob } from '../globs/glob.ts';
import { createWork } from '../globs/work.ts';
import { createInspector, type InspectedFile, type LintedFile } from '../lint/linter.ts';
import type { Mistake } from '../lint/mistake.ts';
import { isTooLarge, mayUsePool, namesDriver } from '../lint/may-use-pool.ts';
import { slashed } from '../files/slashed.ts';
import { ruleIdsOf, type Analyser } from '../lint/analyser.ts';
import type { Problem } from '../lint/problem.ts';
import { textsBeside } from '../lint/texts-beside.ts';
import type { Settings } from '../settings/settings.ts';
import { soonRules } from './configured-for.ts';
import { hostWithoutFiles, type Host } from './host.ts';
import type { Mistakes } from './mistakes.ts';
import type { OpenDocuments } from './open-documents.ts';
import { folderOf, isOnThisMachine, pathOfDocument, pathOfUri } from './path-of-document.ts';
import type { FileStatus, SkipReason } from './protocol.ts';
import { rulesAside, showsEslint, toLintSettings } from './server-settings.ts';
import type { Client } from './client.ts';
import type { Snapshot } from './snapshot.ts';
import { locationsIn, type LocationOf } from './to-diagnostics.ts';

/** One version of a document after it was looked at. */
export interface Check {
  readonly snapshot: Snapshot;
  /** What the editor is to show. */
  readonly problems: readonly Problem[];
  /** What the workspace's own ESLint shows in our place; our actions are there for it, too. */
  readonly problemsAside: readonly Problem[];
  readonly locationOf: LocationOf;
  readonly status: FileStatus;
  /** Undefined when the file was skipped. */
  readonly linted: InspectedFile | undefined;
  /** Lints another text as if it were this document's; undefined when the file was skipped. */
  readonly lint: ((text: string) => LintedFile) | undefined;
  /** Absolute paths at which other files were looked for: what happens there may change what was found. */
  readonly readFrom: ReadonlySet<string>;
}

/** Checks documents, each version once for as long as nothing else changes. */
export interface Checks {
  of(snapshot: Snapshot): Promise<Check>;
  /** Everything is to be checked again. */
  forget(): void;
  forgetDocument(uri: string): void;
  /** Documents whose check looked for a file at one of these absolute paths are to be checked again. Tells whether there are any. */
  forgetReadersOf(paths: ReadonlySet<string>): Promise<boolean>;
}

export interface ChecksOptions {
  readonly analyser: Analyser;
  readonly host: Host;
  readonly client: () => Client;
  readonly settingsOf: (uri: string) => Promise<Settings>;
  /** The workspace's ESLint says, after an answer was given, what makes another one of it. */
  readonly onLate: () => void;
  readonly open: OpenDocuments;
  readonly mistakes: Mistakes;
}

export function createChecks(options: ChecksOptions): Checks {
  const known = new Map<string, { readonly snapshot: Snapshot; readonly check: Promise<Check> }>();
  return {
    of(snapshot) {
      const { uri, version } = snapshot;
      const before = known.get(uri);
      if (before?.snapshot === snapshot) return before.check;
      const check = checkSnapshot(snapshot, options, () => {
        const latest = known.get(uri)?.check ?? check;
        if (latest !== check) return;
        known.delete(uri);
        options.onLate();
      });
      // Who asks for a version that is over does not make the one of now be checked again.
      if (before !== undefined && before.snapshot.version > version) return check;
      known.set(uri, { snapshot, check });
      // A failure must not be remembered as the answer.
      check.catch(() => known.get(uri)?.check === check && known.delete(uri));
      return check;
    },
    forget: () => known.clear(),
    forgetDocument: (uri) => known.delete(uri),
    async forgetReadersOf(paths) {
      const readers = await Promise.all(
        [...known].map(async ([uri, entry]) =>
          (await readsFrom(entry.check, paths)) && known.get(uri) === entry ? [uri] : [],
        ),
      );
      for (const uri of readers.flat()) known.delete(uri);
      return readers.flat().length > 0;
    },
  };
}

/** A check that failed reads nothing any more. */
async function readsFrom(check: Promise<Check>, paths: ReadonlySet<string>): Promise<boolean> {
  const readFrom = await check.then(
    (each) => each.readFrom,
    () => new Set<string>(),
  );
  return [...paths].some((path) => readFrom.has(path));
}

async function checkSnapshot(
  snapshot: Snapshot,
  { analyser, host: machine, client, settingsOf, open, mistakes }: ChecksOptions,
  onLate: () => void,
): Promise<Check> {
  const { folders, facts } = client();
  const { uri, text, positions } = snapshot;
  const settings = await settingsOf(uri);
  const path = pathOfDocument(snapshot, folders[0]);
  const host = isOnThisMachine(uri) ? machine : hostWithoutFiles;
  const cwd = folderOf(path, folders);
  const because = reasonToSkip({ path, text, cwd }, settings, host);
  if (because !== undefined) return skipped(snapshot, because);
  const configured = await soonRules(
    { path: pathOfUri(uri), cwd, settings, host, client: client() },
    onLate,
  );
  const lintSettings = toLintSettings(settings, configured, ruleIdsOf(analyser));
  const inspect = createInspector(analyser, lintSettings, open.program, (mistake) => {
    mistakes.note(uri, mistake);
  });
  const { result, paths } = open.noting(() => inspect({ path, text }));
  mistakes.note(uri, result.mistake);
  const aside = rulesAside(settings['lint.whenEslintReports'], showsEslint(facts, uri), configured);
  const beside = await textsBeside(
    result.problems,
    async (file) => open.textAt(file) ?? (await host.files?.textOf(file))?.text,
  );
  return {
    ...toCheck(snapshot, result, aside),
    locationOf: locationsIn(uri, positions, beside),
    readFrom: paths,
    lint: (other) => inspect({ path, text: other }),
  };
}

interface Candidate {
  readonly path: string;
  readonly text: string;
  readonly cwd: string;
}

/** Cheap questions first. */
function reasonToSkip(
  { path, text, cwd }: Candidate,
  settings: Settings,
  host: Host,
): SkipReason | undefined {
  if (!settings['lint.enable']) return 'off';
  if (isTooLarge(text)) return 'too large';
  if (!mayUsePool(text)) return 'no pool';
  if (isExcluded(relative(cwd, path), settings['lint.exclude'])) return 'excluded';
  return namesDriver(text) || host.isDriverNear(path, cwd) ? undefined : 'no driver';
}

/** A pattern that is none excludes nothing. */
export function isExcluded(path: string, patterns: readonly string[]): boolean {
  const [named, work] = [slashed(path), createWork()];
  return patterns.some((pattern) =>
    createGlob(pattern, { dialect: 'shell', matchesDots: true, work }).matches(named),
  );
}

function skipped(snapshot: Snapshot, because: SkipReason): Check {
  return {
    snapshot,
    problems: [],
    problemsAside: [],
    locationOf: locationsIn(snapshot.uri, snapshot.positions, new Map()),
    status: { kind: 'skipped', because },
    linted: undefined,
    lint: undefined,
    readFrom: new Set(),
  };
}

function toCheck(
  snapshot: Snapshot,
  linted: InspectedFile,
  aside: ReadonlySet<string>,
): Omit<Check, 'readFrom' | 'lint' | 'locationOf'> {
  const isAside = ({ rule }: Problem) => rule !== null && aside.has(rule);
  const problems = linted.problems.filter((problem) => !isAside(problem));
  return {
    snapshot,
    problems,
    problemsAside: linted.problems.filter(isAside),
    status: statusOf(problems, linted.mistake, aside, snapshot),
    linted,
  };
}

function statusOf(
  problems: readonly Problem[],
  mistake: Mistake | undefined,
  aside: ReadonlySet<string>,
  { positions }: Snapshot,
): FileStatus {
  if (mistake !== undefined) return { kind: 'failed', sentence: `${mistake.message}.` };
  const unparsable = problems.find(({ rule }) => rule === null);
  if (unparsable !== undefined)
    return {
      kind: 'unparsable',
      sentence: unparsable.message,
      line: positions.ofPlace(unparsable.place).start.line + 1,
    };
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { kind: 'checked', errors, warnings: problems.length - errors, aside: [...aside] };
}
