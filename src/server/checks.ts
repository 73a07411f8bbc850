import picomatch from 'picomatch';
import { relative } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createInspector, type Inspect, type InspectedFile, type LintedFile } from '../lint/linter.ts';
import { isTooLarge, mayUsePool, namesDriver } from '../lint/may-use-pool.ts';
import { ruleIdsOf, type Plugin } from '../lint/plugin.ts';
import type { Problem } from '../lint/problem.ts';
import type { TolerantParser } from '../lint/tolerant-parser.ts';
import type { Settings } from '../settings/settings.ts';
import { nothingConfigured, type Configured, type ConfiguredRules, type Host } from './host.ts';
import { folderOf, isWithin, pathOfDocument, pathOfUri } from './path-of-document.ts';
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
}

/** Checks documents, each version once for as long as nothing else changes. */
export interface Checks {
  of(document: TextDocument): Promise<Check>;
  /** Everything is to be checked again. */
  forget(): void;
  forgetDocument(uri: string): void;
  /** A document was edited, and may be what others import. */
  forgetOthers(uri: string): void;
}

export interface ChecksOptions {
  readonly plugin: Plugin;
  readonly host: Host;
  /** Reads through the open documents. */
  readonly parser: TolerantParser;
  readonly client: () => Client;
  readonly settingsOf: (uri: string) => Promise<Settings>;
  /** The workspace's ESLint says, after an answer was given, what makes another one of it. */
  readonly onLate: () => void;
}

/** Milliseconds that a first answer waits for the workspace's ESLint, so that one which is awake is not heard too late. */
const eslintGraceMs = 200;

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
    forgetOthers(uri) {
      for (const each of known.keys()) if (each !== uri) known.delete(each);
    },
  };
}

async function checkDocument(document: TextDocument, { plugin, host, parser, client, settingsOf }: ChecksOptions, onLate: () => void): Promise<Check> {
  const { folders, facts } = client();
  const settings = await settingsOf(document.uri);
  const path = pathOfDocument(document, folders[0] ?? process.cwd());
  const cwd = folderOf(path, folders);
  const text = document.getText();
  const because = reasonToSkip({ path, text, cwd }, settings, host);
  if (because !== undefined) return skipped(document, because);
  const asksEslint = facts.isTrusted && settings['lint.whenEslintReports'] !== 'own' && isFileIn(document.uri, folders);
  const configured = asksEslint ? await inTime(host.configuredRules(path, cwd), onLate) : nothingConfigured;
  const inspect = createInspector(plugin, { ...toLintSettings(settings, configured, cwd, ruleIdsOf(plugin)), parser });
  return toCheck(document, inspect, path, rulesAside(settings['lint.whenEslintReports'], showsEslint(facts, document.uri), configured));
}

/** Trust is about the workspace: what lies elsewhere may lie beside a configuration that nobody trusts. */
function isFileIn(uri: string, folders: readonly string[]): boolean {
  const path = pathOfUri(uri);
  return path !== undefined && folders.some((folder) => isWithin(folder, path));
}

/** What is known, or soon enough; `onLate` is called when ESLint, which may need seconds to start, then says something else. */
async function inTime({ known, coming }: Configured, onLate: () => void): Promise<ConfiguredRules> {
  if (coming === undefined) return known ?? nothingConfigured;
  const used = known ?? (await Promise.race([coming, sleep(eslintGraceMs, nothingConfigured)]));
  void coming.then((rules) => {
    if (JSON.stringify(rules) !== JSON.stringify(used)) onLate();
  });
  return used;
}

function sleep<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}

interface Candidate {
  readonly path: string;
  readonly text: string;
  readonly cwd: string;
}

/** Cheap questions first. */
function reasonToSkip({ path, text, cwd }: Candidate, settings: Settings, host: Host): SkipReason | undefined {
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
  return { document, version: document.version, problems: [], problemsAside: [], status: { kind: 'skipped', because }, linted: undefined, lint: undefined };
}

function toCheck(document: TextDocument, inspect: Inspect, path: string, aside: ReadonlySet<string>): Check {
  const linted = inspect({ path, text: document.getText() });
  const isAside = ({ rule }: Problem) => rule !== null && aside.has(rule);
  const problems = linted.problems.filter((problem) => !isAside(problem));
  return { document, version: document.version, problems, problemsAside: linted.problems.filter(isAside), status: statusOf(problems, aside), linted, lint: (text) => inspect({ path, text }) };
}

function statusOf(problems: readonly Problem[], aside: ReadonlySet<string>): FileStatus {
  const unparsable = problems.find(({ rule }) => rule === null);
  if (unparsable !== undefined) return { kind: 'unparsable', sentence: unparsable.message, line: unparsable.line };
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { kind: 'checked', errors, warnings: problems.length - errors, aside: [...aside] };
}
