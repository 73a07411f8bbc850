import type { CodeAction, Range, TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { findingCommands } from '../contributions.ts';
import type { Fix, Problem } from '../lint/problem.ts';
import { stopIfCancelled } from './diagnostics.ts';
import type { Feature } from './session.ts';
import { toLocation, toRange } from './to-diagnostics.ts';

const quickFix = 'quickfix';

/** Repairs and comments for what is underlined. */
export const codeActions: Feature = {
  capabilities: () => ({ codeActionProvider: { codeActionKinds: [quickFix] } }),
  register({ connection, documents, checks, client }) {
    connection.onCodeAction(async ({ textDocument: { uri }, range, context }, token) => {
      await stopIfCancelled(token);
      const document = documents.get(uri);
      if (document === undefined) return [];
      const { problems, problemsAside } = await checks.of(document);
      // ESLint's own extension repairs and silences what it shows; the path is what it lacks.
      const paths = client().facts.showsPaths ? toPathActions(uri, [...problems, ...problemsAside], range, context.only) : [];
      return [...toCodeActions(document, problems, range, context.only), ...paths];
    });
  },
};

/** A problem that a comment can switch off. */
interface RuleProblem extends Problem {
  readonly rule: string;
}

/**
 * Repairs for the problems that touch `range`, then the comments that switch them off.
 * Each edit names the version it was made for, so an editor refuses it after further typing.
 */
export function toCodeActions(document: TextDocument, problems: readonly Problem[], range: Range, only?: readonly string[]): CodeAction[] {
  if (!isWanted(only)) return [];
  const touched = problems.filter((problem): problem is RuleProblem => problem.rule !== null && touches(toRange(problem), range));
  const repairs = touched.flatMap((problem) => problem.fixes.map((fix) => toAction(document, fix.title, toEdit(document, fix))));
  const lines = distinct(touched, ({ rule, line }) => `${rule} ${line}`).map((problem) => disableForLine(document, problem));
  const files = distinct(touched, ({ rule }) => rule).map((problem) => disableForFile(document, problem));
  return [...repairs, ...lines, ...files];
}

/** A command of our editor side for each problem on `range` that has a path. */
export function toPathActions(uri: string, problems: readonly Problem[], range: Range, only?: readonly string[]): CodeAction[] {
  if (!isWanted(only)) return [];
  const touched = problems.filter((problem) => problem.rule !== null && problem.steps.length > 0 && touches(toRange(problem), range));
  return distinct(touched, ({ line, column }) => `${line} ${column}`).map(({ steps }) => {
    const places = steps.map((step) => toLocation(step, uri));
    return { title: showPathTitle, kind: quickFix, command: { title: showPathTitle, command: findingCommands.showPath, arguments: [places] } };
  });
}

const showPathTitle = 'Show the path of this client';

function isWanted(only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((kind) => kind === '' || kind === quickFix);
}

function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function toAction({ uri, version }: TextDocument, title: string, edit: TextEdit): CodeAction {
  return { title, kind: quickFix, edit: { documentChanges: [{ textDocument: { uri, version }, edits: [edit] }] } };
}

function toEdit(document: TextDocument, { range: [start, end], text }: Fix): TextEdit {
  return { range: { start: document.positionAt(start), end: document.positionAt(end) }, newText: text };
}

function disableForLine(document: TextDocument, { rule, line }: RuleProblem): CodeAction {
  const edit = joinComment(document, line - 2, rule) ?? newComment(document, line - 1, rule);
  return toAction(document, `Disable ${rule} for this line`, edit);
}

const ownComment = /^\s*\/\/\s*eslint-disable-next-line\s+(?:(?!\s--)[^\r\n])*(?=\s--|\s*$)/u;

/** A second comment would switch the first one off, so the rule joins the list that is there. */
function joinComment(document: TextDocument, line: number, rule: string): TextEdit | undefined {
  const before = line < 0 ? undefined : ownComment.exec(textOfLine(document, line))?.[0].trimEnd();
  return before === undefined ? undefined : insert(line, before.length, `, ${rule}`);
}

function newComment(document: TextDocument, line: number, rule: string): TextEdit {
  const indent = /^[ \t]*/u.exec(textOfLine(document, line))?.[0] ?? '';
  return insert(line, 0, `${indent}// eslint-disable-next-line ${rule}${lineBreakOf(document)}`);
}

function disableForFile(document: TextDocument, { rule }: RuleProblem): CodeAction {
  const firstLine = textOfLine(document, 0).startsWith('#!') ? 1 : 0;
  return toAction(document, `Disable ${rule} for this file`, insert(firstLine, 0, `/* eslint-disable ${rule} */${lineBreakOf(document)}`));
}

function insert(line: number, character: number, newText: string): TextEdit {
  const place = { line, character };
  return { range: { start: place, end: place }, newText };
}

function textOfLine(document: TextDocument, line: number): string {
  return document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }).replace(/[\r\n]+$/u, '');
}

function lineBreakOf(document: TextDocument): string {
  return document.getText().includes('\r\n') ? '\r\n' : '\n';
}
