import type { DiagnosticChangeEvent, Disposable } from 'vscode';
import { Diagnostic, languages, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import { DocumentDiagnosticRequest, vsdiag } from 'vscode-languageclient';
import { evidenceSource } from '../../server/section.ts';
import type { ReadSetting } from '../read-settings.ts';
import { aloneIn } from './evidence-alone.ts';
import { findingsOfOthers, withoutDuplicates } from './foreign-findings.ts';
import type { LanguageClient } from './language-client.ts';

export interface StepAside {
  readonly provideDiagnostics: NonNullable<Middleware['provideDiagnostics']>;
  /** Asks the server again whenever others report more, or less, of our rules. */
  watch(client: LanguageClient): Disposable;
}

/**
 * Hides, line by line, what the workspace's own ESLint or oxlint reports with our plugin; VS Code itself merges no two sources. The server
 * knows ESLint's configuration and steps aside by rule and file; this is for what it cannot know: oxlint, and an ESLint that is run otherwise.
 */
export function createStepAside(readSetting: ReadSetting): StepAside {
  const seen = new Map<string, string>();
  return {
    async provideDiagnostics(document, previousResultId, token, next) {
      const report = await next(document, previousResultId, token);
      const uri = 'uri' in document ? document.uri : document;
      const others = findingsOfOthers(languages.getDiagnostics(uri));
      seen.set(uri.toString(), keyOf(others));
      if (readSetting('lint.whenEslintReports', uri) !== 'defer') return report;
      return report?.kind === vsdiag.DocumentDiagnosticReportKind.full
        ? {
            ...report,
            items: withEvidenceAlone(report.items, withoutDuplicates(report.items, others)),
          }
        : report;
    },
    watch: (client) =>
      languages.onDidChangeDiagnostics((event) => {
        pullAgain(client, event, seen);
      }),
  };
}

/** What was seen at run time stays, though the finding that it was added to is somebody else's to report. */
function withEvidenceAlone(
  items: readonly Diagnostic[],
  kept: readonly Diagnostic[],
): Diagnostic[] {
  const alone = items
    .filter((each) => !kept.includes(each))
    .flatMap((hidden) =>
      aloneIn(hidden).map(({ code, message, severity, data }) =>
        Object.assign(new Diagnostic(hidden.range, message, severity), {
          source: evidenceSource,
          code,
          data,
        }),
      ),
    );
  return [...kept, ...alone];
}

function pullAgain(
  client: LanguageClient,
  { uris }: DiagnosticChangeEvent,
  seen: ReadonlyMap<string, string>,
): void {
  const changed = new Set(uris.map(String).filter((uri) => seen.has(uri)));
  for (const document of workspace.textDocuments.filter(({ uri }) => changed.has(uri.toString()))) {
    if (
      keyOf(findingsOfOthers(languages.getDiagnostics(document.uri))) ===
      seen.get(document.uri.toString())
    )
      continue;
    client
      .getFeature(DocumentDiagnosticRequest.method)
      .getProvider(document)
      ?.onDidChangeDiagnosticsEmitter.fire();
  }
}

function keyOf(findings: ReadonlySet<string>): string {
  return [...findings].sort().join('\n');
}
