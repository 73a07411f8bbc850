import {
  Disposable,
  OverviewRulerLane,
  Range,
  ThemeColor,
  window,
  workspace,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
} from 'vscode';
import { colors } from '../../contributions.ts';
import { heldLines, type HeldLines } from '../../server/protocol.ts';
import { isAbout, readSetting } from '../read-settings.ts';
import { createRepaint } from './repaint.ts';
import { languages } from './language-client.ts';
import type { Findings } from './part.ts';
import { ask } from './talk.ts';

/** How long typing rests before the bar is asked for again; until then VS Code moves it with the text. */
const restMs = 300;

/** A thin bar beside the lines on which a client is held, in another colour where it is lost on some path. */
export function heldBar({ server }: Findings): Disposable {
  const bars = { held: bar(colors.heldBar), lost: bar(colors.lostBar) };
  const paint = (editors: readonly TextEditor[], found: readonly HeldLines[]): void => {
    for (const editor of editors) {
      editor.setDecorations(bars.held, rangesOf(found, false));
      editor.setDecorations(bars.lost, rangesOf(found, true));
    }
  };
  const repaint = createRepaint<TextDocument, readonly HeldLines[]>({
    ask: async (document) =>
      isWanted(document) ? ask(server, heldLines, { uri: document.uri.toString() }) : [],
    show: (document, found) => {
      paint(
        window.visibleTextEditors.filter((editor) => editor.document === document),
        found,
      );
    },
  });
  const everywhere = (): void => {
    for (const { document } of window.visibleTextEditors) repaint.again(document);
  };
  everywhere();
  return Disposable.from(
    bars.held,
    bars.lost,
    repaint,
    window.onDidChangeVisibleTextEditors((editors) => {
      for (const { document } of editors) repaint.soon(document, 0);
    }),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (isVisible(document)) repaint.soon(document, restMs);
    }),
    workspace.onDidCloseTextDocument((document) => {
      repaint.forget(document);
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (isAbout(change, 'lint.heldSpans')) everywhere();
    }),
    server.onDidGoStale(everywhere),
    server.onDidChangeState(everywhere),
  );
}

function bar(color: string): TextEditorDecorationType {
  const borderColor = new ThemeColor(color);
  return window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    borderColor,
    overviewRulerColor: borderColor,
    overviewRulerLane: OverviewRulerLane.Left,
  });
}

function isWanted({ languageId, uri }: TextDocument): boolean {
  return languages.includes(languageId) && readSetting('lint.heldSpans', uri);
}

function isVisible(document: TextDocument): boolean {
  return window.visibleTextEditors.some((editor) => editor.document === document);
}

function rangesOf(found: readonly HeldLines[], isLeaked: boolean): Range[] {
  return found
    .filter((each) => each.isLeaked === isLeaked)
    .flatMap(({ ranges }) => ranges.map(({ start, end }) => new Range(start.line, 0, end.line, 0)));
}
