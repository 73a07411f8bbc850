import { Disposable, ProgressLocation, languages, window, workspace } from 'vscode';
import { linkCode } from '../../linking/linked-code.ts';
import { codeFacts } from '../../server/protocol.ts';
import { documentSelector, languages as checkedLanguages } from '../findings/language-client.ts';
import type { Findings } from '../findings/part.ts';
import { ask } from '../findings/talk.ts';
import { keepCodeRead } from './keep-code-read.ts';
import { LiveHover } from './live-hover.ts';

/** Sessions look after look, and the whole workspace behind each answer: a keystroke changes nothing that is urgent. */
const restMs = 1500;

/** Asks the language server where the code sends statements while a database is connected, and adds the sessions to the hovers of findings. */
export function registerLinking({ server, figures, code, channel }: Findings): Disposable {
  const reading = keepCodeRead({
    restMs,
    async read(isFirst) {
      await server.start();
      const asked = ask(server, codeFacts, null);
      if (isFirst)
        void window.withProgress(
          {
            location: ProgressLocation.Window,
            title: 'Poolguard: finding where the code sends statements',
          },
          () =>
            asked.then(
              () => undefined,
              () => undefined,
            ),
        );
      const facts = await asked;
      if (isFirst && facts?.isCut === true)
        channel.info(
          'The workspace has too many files; not all were searched for the statements of sessions.',
        );
      return facts && linkCode(facts);
    },
    onRead: (linked) => {
      code.setCode(linked);
    },
  });
  const again = (): void => {
    reading.again();
  };
  const follow = (): void => {
    reading.setWanted(figures.now !== undefined && workspace.isTrusted);
  };
  follow();
  // Of several hovers the editor shows the one first that was registered last: this one says what happens now, and is short.
  let hover: Disposable | undefined;
  const showHover = (): void => {
    hover?.dispose();
    hover = code.code && languages.registerHoverProvider(documentSelector(), new LiveHover(code));
  };
  return Disposable.from(
    reading,
    code.onDidChangeCode(showHover),
    {
      dispose: () => {
        hover?.dispose();
      },
    },
    figures.onDidChange(follow),
    server.onDidGoStale(again),
    server.onDidChangeState((state) => {
      if (state === 'running') again();
    }),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (checkedLanguages.includes(document.languageId)) again();
    }),
  );
}
