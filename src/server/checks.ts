import picomatch from 'picomatch';
import { relative } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createLinter, type LintedFile } from '../lint/linter.ts';
import { isTooLarge, mayUsePool, namesDriver } from '../lint/may-use-pool.ts';
import { ruleIdsOf, type Plugin } from '../lint/plugin.ts';
import type { Problem } from '../lint/problem.ts';
import type { TolerantParser } from '../lint/tolerant-parser.ts';
import type { Settings } from '../settings/settings.ts';
import { hostWithoutFiles, nothingConfigured, type Host } from './host.ts';
import { folderOf, isOnThisMachine, pathOfDocument } from './path-of-document.ts';
import type { FileStatus, SkipReason } from './protocol.ts';
import { rulesAside, toLintSettings } from './server-settings.ts';
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
  readonly linted: LintedFile | undefined;
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
}

export function createChecks(options: ChecksOptions): Checks {
  const known = new Map<string, { readonly version: number; readonly check: Promise<Check> }>();
  return {
    of(document) {
      const { uri, version } = document;
      const before = known.get(uri);
      if (before?.version === version) return before.check;
      const check = checkDocument(document, options);
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

async function checkDocument(document: TextDocument, { plugin, host: machine, parser, client, settingsOf }: ChecksOptions): Promise<Check> {
  const { folders, facts } = client();
  const settings = await settingsOf(document.uri);
  const path = pathOfDocument(document, folders[0]);
  const host = isOnThisMachine(document.uri) ? machine : hostWithoutFiles;
  const cwd = folderOf(path, folders);
  const text = document.getText();
  const because = reasonToSkip({ path, text, cwd }, settings, host);
  if (because !== undefined) return skipped(document, because);
  const asksEslint = facts.isTrusted && settings['lint.whenEslintReports'] !== 'own';
  const configured = asksEslint ? await host.configuredRules(path, cwd) : nothingConfigured;
  const linted = createLinter(plugin, { ...toLintSettings(settings, configured, cwd, ruleIdsOf(plugin)), parser })({ path, text });
  return toCheck(document, linted, rulesAside(settings['lint.whenEslintReports'], facts.showsEslint, configured));
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
  return { document, version: document.version, problems: [], problemsAside: [], status: { kind: 'skipped', because }, linted: undefined };
}

function toCheck(document: TextDocument, linted: LintedFile, aside: ReadonlySet<string>): Check {
  const isAside = ({ rule }: Problem) => rule !== null && aside.has(rule);
  const problems = linted.problems.filter((problem) => !isAside(problem));
  return { document, version: document.version, problems, problemsAside: linted.problems.filter(isAside), status: statusOf(problems, aside), linted };
}

function statusOf(problems: readonly Problem[], aside: ReadonlySet<string>): FileStatus {
  const unparsable = problems.find(({ rule }) => rule === null);
  if (unparsable !== undefined) return { kind: 'unparsable', sentence: unparsable.message };
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { kind: 'checked', errors, warnings: problems.length - errors, aside: [...aside] };
}
