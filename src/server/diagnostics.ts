import type {
  CancellationToken,
  Diagnostic,
  DocumentDiagnosticReport,
} from 'vscode-languageserver';
import { DocumentDiagnosticReportKind, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { factsOf } from '../lint/analyser.ts';
import type { Check } from './checks.ts';
import { ownDiagnostics, withEvidence } from './evidence/evidence-diagnostics.ts';
import type { Feature, Session } from './session.ts';
import { section } from './section.ts';
import type { Snapshot } from './snapshot.ts';
import { toDiagnostics } from './to-diagnostics.ts';

/** What is underlined: pulled by editors that can, else pushed. */
export const diagnostics: Feature = {
  capabilities: ({ facts }) => ({
    diagnosticProvider: {
      identifier: section,
      interFileDependencies: true,
      workspaceDiagnostics: !facts.checksWorkspaceOnDemand,
    },
  }),
  register(session) {
    const { connection, documents, client } = session;
    const saved = new Map<string, number>();
    connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }, token) =>
      answerPull(session, documents.get(uri), saved.get(uri), previousResultId, token),
    );
    const canPull = () => client().can.textDocument?.diagnostic !== undefined;
    const push = async (snapshot: Snapshot) => {
      const { uri, version } = snapshot;
      const found = await diagnosticsOf(await session.checks.of(snapshot), session);
      // What is said of an older text must not stand in front of what is said of this one.
      if (documents.get(uri) === snapshot)
        await connection.sendDiagnostics({ uri, version, diagnostics: found });
    };
    const refresh = async () => {
      if (client().can.workspace?.diagnostics?.refreshSupport === true)
        await connection.languages.diagnostics.refresh();
    };
    documents.onDidOpen(({ document }) => saved.set(document.uri, document.version));
    documents.onDidSave(({ document }) => saved.set(document.uri, document.version));
    documents.onDidClose(({ document }) => saved.delete(document.uri));
    documents.onDidChangeContent(({ document }) => {
      if (!canPull()) session.inBackground(push(document));
    });
    const again = () => {
      session.inBackground(canPull() ? refresh() : Promise.all(documents.all().map(push)));
    };
    session.onStale(again);
    session.evidence.onChange(again);
  },
};

/** What the analysis finds in a document, and what was seen of it in running applications. */
async function diagnosticsOf(check: Check, { analyser, evidence }: Session): Promise<Diagnostic[]> {
  const homes = await evidence.in(check);
  const shown = new Set(check.problems);
  const findings = withEvidence(check.problems, homes, (problem) =>
    toDiagnostics([problem], check.locationOf, (rule) => factsOf(analyser, rule).url),
  );
  return [
    ...findings,
    ...ownDiagnostics(homes.filter(({ problem }) => problem === undefined || !shown.has(problem))),
  ];
}

/** Where files are checked when they are saved, the editor keeps what it shows until then, and moves it with the text. */
async function answerPull(
  session: Session,
  snapshot: Snapshot | undefined,
  savedVersion: number | undefined,
  previous: string | undefined,
  token: CancellationToken,
): Promise<DocumentDiagnosticReport> {
  await stopIfCancelled(token);
  if (snapshot === undefined) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
  const settings = await session.settingsOf(snapshot.uri);
  refuseWhenCancelled(token);
  if (
    settings['lint.run'] === 'onSave' &&
    previous !== undefined &&
    snapshot.version !== savedVersion
  )
    return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: previous };
  const check = await session.checks.of(snapshot);
  // The log, unlike the editor, hears about files that were not checked.
  if (check.status.kind === 'unparsable')
    session.connection.console.log(`${snapshot.uri}: ${check.status.sentence}`);
  return {
    kind: DocumentDiagnosticReportKind.Full,
    resultId: String(snapshot.version),
    items: await diagnosticsOf(check, session),
  };
}

/** One turn of the event loop lets a cancellation in that is already waiting. */
export async function stopIfCancelled(token: CancellationToken): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  refuseWhenCancelled(token);
}

function refuseWhenCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested)
    throw new ResponseError(
      LSPErrorCodes.RequestCancelled,
      'The editor no longer needs the answer.',
    );
}
