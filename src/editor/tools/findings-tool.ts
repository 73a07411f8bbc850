import {
  Uri,
  languages,
  workspace,
  type CancellationToken,
  type Disposable,
  type TextDocument,
} from 'vscode';
import type { FullDocumentDiagnosticReport } from 'vscode-languageserver';
import { toPlainText } from '../../activity/plain-text.ts';
import { tools } from '../../contributions.ts';
import { fileStatus } from '../../server/protocol.ts';
import { toJson } from '../../text/to-json.ts';
import { documentSelector } from '../findings/language-client.ts';
import type { LanguageServer } from '../findings/language-server.ts';
import type { Findings } from '../findings/part.ts';
import { statusText } from '../findings/status-text.ts';
import { ask } from '../findings/talk.ts';
import { registerTool } from './register-tool.ts';
import { untrusted } from './snapshot-text.ts';
import { readInput } from './tool-input.ts';

const mostDocuments = 50;

/** `get_pool_findings`: what is found in one file of the workspace, or in those that are open. */
export function registerFindingsTool({ server }: Findings): Disposable {
  return registerTool(tools.findings, {
    async run(input, token) {
      const read = readInput(input, ['file']);
      if (read.kind === 'problem') return read.sentence;
      const file = read.texts.get('file');
      const documents = file === undefined ? openDocuments() : await documentOf(file);
      if (documents === undefined)
        return 'The file does not exist, or is outside the workspace. Use a path relative to a workspace folder.';
      if (documents.length === 0)
        return 'No JavaScript or TypeScript file of the workspace is open. Name one with "file".';
      await server.start();
      const texts = await Promise.all(
        documents.slice(0, mostDocuments).map((document) => describe(server, document, token)),
      );
      return [untrusted, ...texts].join('\n');
    },
  });
}

function openDocuments(): TextDocument[] {
  return workspace.textDocuments.filter(
    (document) =>
      languages.match(documentSelector(), document) > 0 &&
      (document.isUntitled || workspace.getWorkspaceFolder(document.uri) !== undefined),
  );
}

/** Undefined for a path that leads out of the workspace, or to nothing. */
async function documentOf(file: string): Promise<TextDocument[] | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const candidates = folders.flatMap(({ uri }) => [
    Uri.joinPath(uri, file),
    uri.with({ path: Uri.joinPath(uri.with({ path: '/' }), file).path }),
  ]);
  for (const uri of candidates.filter((each) =>
    folders.some((folder) => each.path.startsWith(`${folder.uri.path}/`)),
  )) {
    const document = await workspace.openTextDocument(uri).then(
      (opened) => opened,
      () => undefined,
    );
    if (document !== undefined) return [document];
  }
  return undefined;
}

async function describe(
  server: LanguageServer,
  document: TextDocument,
  token: CancellationToken,
): Promise<string> {
  const uri = document.uri.toString();
  const status = await ask(server, fileStatus, { uri }, token);
  const { text, detail } = statusText(server.state, status);
  const head = `${toJson(workspace.asRelativePath(document.uri))}: ${[text, detail].filter((part) => part !== undefined).join('. ')}`;
  const { running } = server;
  if (status?.kind !== 'checked' || running === undefined) return head;
  const report = await running.sendRequest<FullDocumentDiagnosticReport>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
    token,
  );
  return [head, ...report.items.flatMap(toLines)].join('\n');
}

function toLines({
  code,
  severity,
  range,
  message,
  relatedInformation = [],
}: FullDocumentDiagnosticReport['items'][number]): string[] {
  const path = relatedInformation.map(
    (step) =>
      `    line ${step.location.range.start.line + 1}: ${toJson(toPlainText(step.message))}`,
  );
  return [
    `  line ${range.start.line + 1}, ${severity === 1 ? 'error' : 'warning'}, ${String(code)}: ${toJson(toPlainText(typeof message === 'string' ? message : message.value))}`,
    ...path,
  ];
}
