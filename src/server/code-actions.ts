import type {
  CodeAction,
  CodeActionParams,
  Diagnostic,
  Range,
  TextEdit,
} from 'vscode-languageserver';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { toPlainText } from '../activity/plain-text.ts';
import { factsOf, type Plugin } from '../lint/plugin.ts';
import type { Fix, Problem } from '../lint/problem.ts';
import type { Written } from '../lint/written.ts';
import { shownFor } from './actions/attached.ts';
import {
  disableForFile,
  disableForLine,
  isRuleProblem,
  type RuleProblem,
} from './actions/disable-comments.ts';
import { fixAll } from './actions/fix-all.ts';
import { lineEdits } from './actions/line-edits.ts';
import { safeFixOf } from './actions/safe-fixes.ts';
import { pathActions } from './actions/show-path.ts';
import type { Check } from './checks.ts';
import { stopIfCancelled } from './diagnostics.ts';
import type { Feature, Session } from './session.ts';
import { toDiagnostics, toRange } from './to-diagnostics.ts';

const quickFix = 'quickfix';
/** For `editor.codeActionsOnSave`, and for the command that fixes a file. */
const fixAllKind = 'source.fixAll.poolguard';
/** Opens the page about the rule that it is given. */
const showPage = 'poolguard.showRulePage';

/** Repairs and comments for what is underlined. */
export const codeActions: Feature = {
  capabilities: () => ({
    codeActionProvider: { codeActionKinds: [quickFix, fixAllKind], resolveProvider: true },
    executeCommandProvider: { commands: [showPage] },
  }),
  register(session) {
    const { connection, documents, checks } = session;
    connection.onCodeAction(async (params, token) => {
      await stopIfCancelled(token);
      const document = documents.get(params.textDocument.uri);
      return document === undefined
        ? []
        : actionsFor(session, document, await checks.of(document), params);
    });
    connection.onCodeActionResolve(async (action) => resolved(session, action));
    connection.onExecuteCommand(async ({ command, arguments: [rule] = [] }) => {
      const { url } =
        command === showPage && typeof rule === 'string' ? factsOf(session.plugin, rule) : {};
      if (url !== undefined) await connection.window.showDocument({ uri: url, external: true });
    });
  },
};

function actionsFor(
  { client, plugin }: Session,
  document: TextDocument,
  check: Check,
  { range, context }: CodeActionParams,
): CodeAction[] {
  const { only, diagnostics: shown } = context;
  const written = check.linted?.written();
  // The document goes on while it is checked.
  if (written === undefined || check.version !== document.version) return [];
  const { can, facts } = client();
  const wantsQuick = wants(only, quickFix, true);
  const quick = wantsQuick
    ? toCodeActions(document, check.problems, written, {
        range,
        shown,
        plugin,
        canOpenPages: can.window?.showDocument?.support === true,
      })
    : [];
  // The workspace's ESLint repairs and silences what it shows itself; the path is what it lacks.
  const paths =
    wantsQuick && facts.showsPaths
      ? pathActions(
          document.uri,
          touched([...check.problems, ...check.problemsAside], range),
          shown,
        )
      : [];
  return [
    ...quick,
    ...paths,
    ...(wants(only, fixAllKind, false) ? fixAllActions(check, resolvesEdits(can)) : []),
  ];
}

/** Whether an editor asks for a kind, which it may do by the first words of it; `byDefault` where it asks for no kind. */
function wants(only: readonly string[] | undefined, kind: string, byDefault: boolean): boolean {
  if (only === undefined) return byDefault;
  return only.some((asked) =>
    asked === '' ? byDefault : kind === asked || kind.startsWith(`${asked}.`),
  );
}

export interface Asked {
  readonly range: Range;
  /** What the editor shows there, of us and of others. */
  readonly shown: readonly Diagnostic[];
  readonly plugin: Plugin;
  readonly canOpenPages: boolean;
}

/**
 * Repairs for the problems that touch the range, then the comments that switch them off, then the pages about them.
 * Each edit names the version it was made for, so an editor refuses it after further typing.
 */
export function toCodeActions(
  document: TextDocument,
  problems: readonly Problem[],
  written: Written,
  { range, shown, plugin, canOpenPages }: Asked,
): CodeAction[] {
  const here = touched(problems, range);
  const attached = (each: readonly RuleProblem[]): Diagnostic[] =>
    each.flatMap((problem) => {
      const those = shownFor(problem, shown);
      return those.length > 0
        ? those
        : toDiagnostics([problem], document.uri, (rule) => factsOf(plugin, rule).url);
    });
  const edit = (title: string, change: TextEdit, those: readonly RuleProblem[]): CodeAction => ({
    title,
    kind: quickFix,
    diagnostics: attached(those),
    edit: editOf(document, [change]),
  });
  const repairs = here.flatMap((problem) =>
    problem.fixes.map((fix) => ({
      ...edit(toPlainText(fix.title), toEdit(document, fix), [problem]),
      ...(problem.fixes.length === 1 ? { isPreferred: true } : {}),
    })),
  );
  const lines = grouped(here, ({ rule, line }) => `${rule} ${line}`).map((group) =>
    edit(
      `Disable ${group[0].rule} for this line`,
      disableForLine(document, written, group[0]),
      group,
    ),
  );
  const files = grouped(here, ({ rule }) => rule).map((group) =>
    edit(
      `Disable ${group[0].rule} for this file`,
      disableForFile(document, written, group[0]),
      group,
    ),
  );
  const pages = grouped(canOpenPages ? here : [], ({ rule }) => rule).map((group) =>
    pageOf(group[0].rule, attached(group)),
  );
  return [...repairs, ...lines, ...files, ...pages];
}

function pageOf(rule: string, diagnostics: Diagnostic[]): CodeAction {
  const title = `Show documentation for ${rule}`;
  return {
    title,
    kind: quickFix,
    diagnostics,
    command: { title, command: showPage, arguments: [rule] },
  };
}

/** What an unresolved action knows of the document that it is for. */
interface FixAllData {
  readonly uri: string;
  readonly version: number;
}

/** Nothing where there is nothing to mend. Mending lints the file several times, so an editor that can asks for the edit when it is wanted. */
function fixAllActions(check: Check, isLazy: boolean): CodeAction[] {
  if (
    check.linted === undefined ||
    !check.linted.problems.some((problem) => safeFixOf(problem) !== undefined)
  )
    return [];
  const action: CodeAction = {
    title: 'Fix all Poolguard problems that need no choice',
    kind: fixAllKind,
  };
  const { uri, version } = check.document;
  if (isLazy) return [{ ...action, data: { uri, version } satisfies FixAllData }];
  const edits = fixAllEdits(check);
  return edits.length === 0 ? [] : [{ ...action, edit: editOf(check.document, edits) }];
}

function fixAllEdits({ document, lint }: Check): TextEdit[] {
  return lint === undefined ? [] : lineEdits(document, fixAll(document.getText(), lint));
}

async function resolved({ documents, checks }: Session, action: CodeAction): Promise<CodeAction> {
  if (action.kind !== fixAllKind) return action;
  const { uri, version } = (action.data ?? {}) as Partial<FixAllData>;
  const document = uri === undefined ? undefined : documents.get(uri);
  if (document === undefined || document.version !== version)
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed since.');
  const check = await checks.of(document);
  if (document.version !== check.version)
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed since.');
  return { ...action, edit: editOf(document, fixAllEdits(check)) };
}

function resolvesEdits({ textDocument }: ReturnType<Session['client']>['can']): boolean {
  const { dataSupport, resolveSupport } = textDocument?.codeAction ?? {};
  return dataSupport === true && resolveSupport?.properties.includes('edit') === true;
}

function touched(problems: readonly Problem[], range: Range): RuleProblem[] {
  return problems.filter(isRuleProblem).filter((problem) => touches(toRange(problem), range));
}

function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function editOf(
  { uri, version }: TextDocument,
  edits: TextEdit[],
): NonNullable<CodeAction['edit']> {
  return { documentChanges: [{ textDocument: { uri, version }, edits }] };
}

function toEdit(document: TextDocument, { range: [start, end], text }: Fix): TextEdit {
  return {
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    newText: text,
  };
}
