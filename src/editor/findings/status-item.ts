import {
  Disposable,
  LanguageStatusSeverity,
  languages,
  window,
  type Command,
  type LanguageStatusItem,
  type TextDocument,
} from 'vscode';
import { Owner } from '../../ownership/owner.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import { findingCommands, firstUseCommands } from '../../contributions.ts';
import { fileStatus } from '../../server/protocol.ts';
import { documentSelector } from './language-client.ts';
import type { Findings } from './part.ts';
import { statusText, type StatusText } from './status-text.ts';
import { ask } from './talk.ts';

const places: Readonly<Record<NonNullable<StatusText['leadsTo']>, Command>> = {
  problems: { title: 'Show problems', command: 'workbench.actions.view.problems' },
  settings: {
    title: 'Open settings',
    command: 'workbench.action.openSettings',
    arguments: ['@ext:poolguard.poolguard'],
  },
  log: { title: 'Show the log', command: firstUseCommands.showLog },
  restart: { title: 'Restart', command: findingCommands.restartServer },
};

/** Says of the document that one works in how it was checked, or why not. */
export function registerStatusItem({ server }: Findings): Disposable {
  const item = languages.createLanguageStatusItem('poolguard.status', documentSelector());
  item.name = 'Poolguard';
  const question = new Owner();
  const look = async (signal: AbortSignal): Promise<void> => {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !isOurs(document)) return;
    if (server.state !== 'running') return show(item, statusText(server.state, undefined));
    const status = await ask(server, fileStatus, { uri: document.uri.toString() }).catch(
      () => undefined,
    );
    // A later question has been asked meanwhile, perhaps about another document.
    if (!signal.aborted) show(item, statusText(server.state, status));
  };
  const refresh = () => void question.start(look);
  show(item, statusText(server.state, undefined));
  refresh();
  return Disposable.from(
    item,
    { dispose: () => void question.end() },
    server.onDidChangeState(refresh),
    window.onDidChangeActiveTextEditor(refresh),
    languages.onDidChangeDiagnostics(({ uris }) => {
      const active = window.activeTextEditor?.document.uri.toString();
      if (uris.some((uri) => uri.toString() === active)) refresh();
    }),
  );
}

function isOurs(document: TextDocument): boolean {
  return languages.match(documentSelector(), document) > 0;
}

function show(
  item: LanguageStatusItem,
  { text, detail, isBusy, isError, leadsTo }: StatusText,
): void {
  item.text = `Poolguard: ${text}`;
  item.detail = toPlainText(detail ?? '');
  item.busy = isBusy === true;
  item.severity =
    isError === true ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
  item.command = leadsTo === undefined ? undefined : places[leadsTo];
}
