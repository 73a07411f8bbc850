import picomatch from 'picomatch';
import { relative } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createInspector, type InspectedFile, type LintedFile } from '../lint/linter.ts';
import { isTooLarge, mayUsePool, namesDriver } from '../lint/may-use-pool.ts';
import { ruleIdsOf, type Plugin } from '../lint/plugin.ts';
import type { Problem } from '../lint/problem.ts';
import type { Settings } from '../settings/settings.ts';
import { soonRules } from './configured-for.ts';
import { hostWithoutFiles, type Host } from './host.ts';
import type { OpenDocuments } from './open-documents.ts';
import { folderOf, isOnThisMachine, pathOfDocument, pathOfUri } from './path-of-document.ts';
import type { FileStatus, SkipReason } from './protocol.ts';
import { rulesAside, showsEslint, toLintSettings } from './server-settings.ts';
import type { Client } from './session.ts';

/** One version of a document after it was looked at. */
export interface Check {
  readonly document: TextDocument;
  readonly version: number;
  /** What the editor is to show. */
  readonly problems: readonly Problem[];
  /** What the workspace's own ESLint shows in our place; our actions are there for it, too. */
  readonly problemsAside: readonly Problem[];
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
  of(document: TextDocument): Promise<Check>;
  /** Everything is to be checked again. */
  forget(): void;
  forgetDocument(uri: string): void;
  /** Documents whose check looked for a file at one of these absolute paths are to be checked again. Tells whether there are any. */
  forgetReadersOf(paths: ReadonlySet<string>): Promise<boolean>;
}

export interface ChecksOptions {
  readonly plugin: Plugin;
  readonly host: Host;
  readonly client: () => Client;
  readonly settingsOf: (uri: string) => Promise<Settings>;
  /** The workspace's ESLint says, after an answer was given, what makes another one of it. */
  readonly onLate: () => void;
  readonly open: OpenDocuments;
}

export function createChecks(options: ChecksOptions): Checks {
  const known = new Map<string, { readonly version: number; readonly check: Promise<Check> }>();
  return {
    of(document) {
      const { uri, version } = document;
      const before = known.get(uri);
      if (before?.version === version) return before.check;
      const check = checkDocument(document, options, () => {
        const latest = known.get(uri)?.check ?? check;
        if (latest !== check) return;
        known.delete(uri);
        options.onLate();
      });
      known.set(uri, { version, check });
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

async function checkDocument(
  document: TextDocument,
  { plugin, host: machine, client, settingsOf, open }: ChecksOptions,
  onLate: () => void,
): Promise<Check> {
  const { folders, facts } = client();
  const settings = await settingsOf(document.uri);
  const path = pathOfDocument(document, folders[0]);
  const host = isOnThisMachine(document.uri) ? machine : hostWithoutFiles;
  const cwd = folderOf(path, folders);
  const text = document.getText();
  const because = reasonToSkip({ path, text, cwd }, settings, host);
  if (because !== undefined) return skipped(document, because);
  const configured = await soonRules(
    { path: pathOfUri(document.uri), cwd, settings, host, client: client() },
    onLate,
  );
  const inspect = createInspector(plugin, {
    ...toLintSettings(settings, configured, cwd, ruleIdsOf(plugin)),
    parser: open.parser,
  });
  const { result, paths } = open.noting(() => inspect({ path, text }));
  const aside = rulesAside(
    settings['lint.whenEslintReports'],
    showsEslint(facts, document.uri),
    configured,
  );
  return {
    ...toCheck(document, result, aside),
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
  return picomatch.isMatch(path.replaceAll('\\', '/'), [...patterns], { dot: true });
}

function skipped(document: TextDocument, because: SkipReason): Check {
  return {
    document,
    version: document.version,
    problems: [],
    problemsAside: [],
    status: { kind: 'skipped', because },
    linted: undefined,
    lint: undefined,
    readFrom: new Set(),
  };
}

function toCheck(
  document: TextDocument,
  linted: InspectedFile,
  aside: ReadonlySet<string>,
): Omit<Check, 'readFrom' | 'lint'> {
  const isAside = ({ rule }: Problem) => rule !== null && aside.has(rule);
  const problems = linted.problems.filter((problem) => !isAside(problem));
  return {
    document,
    version: document.version,
    problems,
    problemsAside: linted.problems.filter(isAside),
    status: statusOf(problems, aside),
    linted,
  };
}

function statusOf(problems: readonly Problem[], aside: ReadonlySet<string>): FileStatus {
  const unparsable = problems.find(({ rule }) => rule === null);
  if (unparsable !== undefined)
    return { kind: 'unparsable', sentence: unparsable.message, line: unparsable.line };
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { kind: 'checked', errors, warnings: problems.length - errors, aside: [...aside] };
}
