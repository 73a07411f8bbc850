import {
  Diagnostic,
  DiagnosticSeverity,
  Disposable,
  Range,
  languages,
  workspace,
  type TextDocument,
} from 'vscode';
import { languages as checkedLanguages } from '../findings/language-client.ts';
import type { Findings } from '../findings/part.ts';
import { createRepaint } from '../findings/repaint.ts';
import type { PoolDeclaration } from '../../server/protocol.ts';
import type { LastProbe } from '../live-figures.ts';
import { isAbout, readSetting } from '../read-settings.ts';
import { contradiction } from './contradiction.ts';
import type { FoundPool, PoolQuestions } from './pool-questions.ts';

const restMs = 300;
export const maxMarkSource = 'Poolguard probe';

/** Marks each `max` of an open file that the last probe of the connected database contradicts, until one of the two is another. */
export function maxMarks(
  questions: PoolQuestions,
  { server, figures }: Pick<Findings, 'server' | 'figures'>,
): Disposable {
  const marks = languages.createDiagnosticCollection('poolguard-probe');
  let last: LastProbe | undefined;
  const repaint = createRepaint<TextDocument, readonly Diagnostic[]>({
    ask: async (document) => (await findMarkedMax(document, last, questions)).map(toDiagnostic),
    show: ({ uri }, found) => {
      marks.set(uri, found);
    },
  });
  const everywhere = (): void => {
    if (last === undefined) marks.clear();
    for (const document of workspace.textDocuments)
      if (isChecked(document)) repaint.again(document);
  };
  const follow = (): void => {
    if (figures.now?.lastProbe === last) return;
    last = figures.now?.lastProbe;
    everywhere();
  };
  const soon = (document: TextDocument): void => {
    if (last !== undefined && isChecked(document)) repaint.soon(document, restMs);
  };
  follow();
  return Disposable.from(
    marks,
    repaint,
    figures.onDidChange(follow),
    workspace.onDidOpenTextDocument(soon),
    workspace.onDidChangeTextDocument(({ document }) => {
      soon(document);
    }),
    workspace.onDidCloseTextDocument((document) => {
      repaint.forget(document);
      marks.delete(document.uri);
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (isAbout(change, 'probe.markMax')) everywhere();
    }),
    server.onDidGoStale(everywhere),
    server.onDidChangeState(everywhere),
  );
}

/** A `max` that is contradicted, and where its number stands. */
export interface MarkedMax {
  readonly pool: PoolDeclaration;
  readonly place: Range;
  readonly message: string;
}

export async function findMarkedMax(
  document: TextDocument,
  last: LastProbe | undefined,
  questions: PoolQuestions,
): Promise<readonly MarkedMax[]> {
  if (last === undefined || !readSetting('probe.markMax', document)) return [];
  const pools = await questions.poolsIn(document);
  const found = pools.map(async (pool) => {
    const message = contradiction(pool, last);
    const place = message && (await placeOfMax({ document, pool }, last.max, questions));
    return message && place ? [{ pool, place, message }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Where the number would be written over; undefined where that cannot be done safely. */
async function placeOfMax(
  found: FoundPool,
  max: number,
  questions: PoolQuestions,
): Promise<Range | undefined> {
  const [edit] = (await questions.edits(found, { max }))?.edits ?? [];
  if (edit === undefined) return undefined;
  const { start, end } = edit.range;
  return new Range(start.line, start.character, end.line, end.character);
}

function toDiagnostic({ place, message }: MarkedMax): Diagnostic {
  const diagnostic = new Diagnostic(place, message, DiagnosticSeverity.Information);
  diagnostic.source = maxMarkSource;
  return diagnostic;
}

function isChecked({ languageId }: TextDocument): boolean {
  return checkedLanguages.includes(languageId);
}
