import type {
  CodeAction,
  CodeActionParams,
  Diagnostic,
  Range,
  TextEdit,
} from 'vscode-languageserver';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import * as v from 'valibot';
import { toPlainText } from '../activity/plain-text.ts';
import { factsOf, type Analyser } from '../lint/analyser.ts';
import type { Problem } from '../lint/problem.ts';
import type { Written } from '../lint/written.ts';
import { number, text, type OutputOf } from '../schema/fields.ts';
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
import { toEdit } from './actions/to-edit.ts';
import type { Check } from './checks.ts';
import { stopIfCancelled } from './diagnostics.ts';
import type { Client } from './client.ts';
import type { Feature, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { toDiagnostics, type LocationOf } from './to-diagnostics.ts';

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
      const snapshot = documents.get(params.textDocument.uri);
      if (snapshot === undefined) return [];
      const check = await checks.of(snapshot);
      return isCurrent(session, snapshot) ? actionsFor(session, check, params) : [];
    });
    connection.onCodeActionResolve(async (action) => resolved(session, action));
    connection.onExecuteCommand(async ({ command, arguments: [rule] = [] }) => {
      const { url } =
        command === showPage && typeof rule === 'string' ? factsOf(session.analyser, rule) : {};
      if (url !== undefined) await connection.window.showDocument({ uri: url, external: true });
    });
  },
};

/** The document goes on while it is checked, and what is meant for one text would spoil the next. */
function isCurrent({ documents }: Session, snapshot: Snapshot): boolean {
  return documents.get(snapshot.uri) === snapshot;
}

function actionsFor(
  { client, analyser }: Session,
  check: Check,
  { range, context }: CodeActionParams,
): CodeAction[] {
  const { only, diagnostics: shown } = context;
  const { snapshot, locationOf } = check;
  const written = check.linted?.written();
  if (written === undefined) return [];
  const { can, facts } = client();
  const wantsQuick = wants(only, quickFix, true);
  const quick = wantsQuick
    ? toCodeActions(snapshot, check.problems, written, { range, shown, analyser, can, locationOf })
    : [];
  // The workspace's ESLint repairs and silences what it shows itself; the path is what it lacks.
  const paths =
    wantsQuick && facts.showsPaths
      ? pathActions(
          touched([...check.problems, ...check.problemsAside], range, locationOf),
          locationOf,
          shown,
        )
      : [];
  return [...quick, ...paths, ...(wants(only, fixAllKind, false) ? fixAllActions(check, can) : [])];
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
  readonly analyser: Analyser;
  readonly can: Client['can'];
  readonly locationOf: LocationOf;
}

/**
 * Repairs for the problems that touch the range, then the comments that switch them off, then the pages about them.
 * Each edit names the version it was made for where the editor can read that, and is refused by it after further typing.
 */
export function toCodeActions(
  snapshot: Snapshot,
  problems: readonly Problem[],
  written: Written,
  { range, shown, analyser, can, locationOf }: Asked,
): CodeAction[] {
  const here = touched(problems, range, locationOf);
  const attached = (each: readonly RuleProblem[]): Diagnostic[] =>
    each.flatMap((problem) => {
      const those = shownFor(problem, locationOf, shown);
      return those.length > 0
        ? those
        : toDiagnostics([problem], locationOf, (rule) => factsOf(analyser, rule).url);
    });
  const edit = (title: string, change: TextEdit, those: readonly RuleProblem[]): CodeAction => ({
    title,
    kind: quickFix,
    diagnostics: attached(those),
    edit: editOf(snapshot, [change], can),
  });
  const repairs = here.flatMap((problem) =>
    problem.fixes.map((fix) => ({
      ...edit(toPlainText(fix.title), toEdit(snapshot.positions, fix), [problem]),
      ...(problem.fixes.length === 1 ? { isPreferred: true } : {}),
    })),
  );
  const lines = grouped(here, ({ rule, place }) => `${rule} ${place.start.line}`).map((group) =>
    edit(
      `Disable ${group[0].rule} for this line`,
      disableForLine(snapshot.positions, written, group[0]),
      group,
    ),
  );
  const files = grouped(here, ({ rule }) => rule).map((group) =>
    edit(
      `Disable ${group[0].rule} for this file`,
      disableForFile(snapshot.positions, written, group[0]),
      group,
    ),
  );
  const opensPages = can.window?.showDocument?.support === true;
  const pages = grouped(opensPages ? here : [], ({ rule }) => rule).map((group) =>
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
const FixAllData = v.object({ uri: text, version: number });

/** Nothing where there is nothing to fix. Fixing lints the file several times, so an editor that can asks for the edit when it is wanted. */
function fixAllActions(check: Check, can: Client['can']): CodeAction[] {
  if (
    check.linted === undefined ||
    !check.linted.problems.some((problem) => safeFixOf(problem) !== undefined)
  )
    return [];
  const action: CodeAction = {
    title: 'Fix all auto-fixable Poolguard problems',
    kind: fixAllKind,
  };
  const { uri, version } = check.snapshot;
  if (resolvesEdits(can))
    return [{ ...action, data: { uri, version } satisfies OutputOf<typeof FixAllData> }];
  const edits = fixAllEdits(check);
  return edits.length === 0 ? [] : [{ ...action, edit: editOf(check.snapshot, edits, can) }];
}

function fixAllEdits({ snapshot: { positions }, lint }: Check): TextEdit[] {
  return lint === undefined ? [] : lineEdits(positions, fixAll(positions.code, lint));
}

async function resolved(session: Session, action: CodeAction): Promise<CodeAction> {
  if (action.kind !== fixAllKind) return action;
  const data: unknown = action.data;
  const told = v.is(FixAllData, data) ? data : undefined;
  const snapshot = told && session.documents.get(told.uri);
  const check =
    snapshot !== undefined && snapshot.version === told?.version
      ? await session.checks.of(snapshot)
      : undefined;
  if (check === undefined || !isCurrent(session, check.snapshot))
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed.');
  return { ...action, edit: editOf(check.snapshot, fixAllEdits(check), session.client().can) };
}

function resolvesEdits({ textDocument }: Client['can']): boolean {
  const { dataSupport, resolveSupport } = textDocument?.codeAction ?? {};
  return dataSupport === true && resolveSupport?.properties.includes('edit') === true;
}

function touched(
  problems: readonly Problem[],
  range: Range,
  locationOf: LocationOf,
): RuleProblem[] {
  return problems
    .filter(isRuleProblem)
    .filter((problem) => touches(locationOf(problem).range, range));
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
  { uri, version }: Snapshot,
  edits: TextEdit[],
  { workspace }: Client['can'],
): NonNullable<CodeAction['edit']> {
  return workspace?.workspaceEdit?.documentChanges === true
    ? { documentChanges: [{ textDocument: { uri, version }, edits }] }
    : { changes: { [uri]: edits } };
}
