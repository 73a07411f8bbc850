import type { InlayHint, MarkupContent, Position, Range } from 'vscode-languageserver';
import { MarkupKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { HeldSpan } from '../../rules/index.ts';
import { stopIfCancelled } from './diagnostics.ts';
import { counted, knownSpans, linesOf, startLines } from './held/span-facts.ts';
import { storyOf } from './held/story.ts';
import { toMarkup, wordingFor, type Wording } from './held/wording.ts';
import type { Feature } from './session.ts';

/** Says behind an acquire how long its client is held, and behind a release since when; where the user wants to see that. */
export const inlayHints: Feature = {
  capabilities: () => ({ inlayHintProvider: true }),
  register(session) {
    const { connection, documents, checks, client } = session;
    connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
      await stopIfCancelled(token);
      const document = documents.get(uri);
      if (document === undefined || !(await session.settingsOf(uri))['lint.heldSpans']) return [];
      const { linted } = await checks.of(document);
      // An editor tells for hovers only which texts it can show.
      return hintsIn(
        document,
        range,
        linted?.spans() ?? [],
        wordingFor(uri, client().can.textDocument?.hover?.contentFormat ?? [MarkupKind.PlainText]),
      );
    });
    session.onStale(() => {
      if (client().can.workspace?.inlayHint?.refreshSupport === true)
        session.inBackground(connection.languages.inlayHint.refresh());
    });
  },
};

export function hintsIn(
  document: TextDocument,
  range: Range,
  spans: readonly HeldSpan[],
  say: Wording,
): InlayHint[] {
  return knownSpans(spans)
    .flatMap((span) => hintsOf(document, span, say))
    .filter(({ position: { line } }) => line >= range.start.line && line <= range.end.line);
}

function hintsOf(document: TextDocument, span: HeldSpan, say: Wording): readonly InlayHint[] {
  const tooltip = toMarkup(say, storyOf(span, say));
  const acquired = span.acquire.end.line;
  const released = startLines(span.releases).filter((line) => line > acquired);
  return [
    hintAt(document, acquired, labelOf(span), tooltip),
    ...released.map((line) =>
      hintAt(document, line, `held since line ${span.acquire.start.line}`, tooltip),
    ),
  ];
}

/** `held to line 20 · 3 statements`, `held to line 20 · 1 slow call`, `lost at line 16` */
function labelOf(span: HeldSpan): string {
  const [lostAt] = startLines(span.leaves);
  const { first, last } = linesOf(span);
  const held = first === last ? 'held on this line' : `held to line ${last}`;
  const slow = span.slowAwaits.length;
  const busy =
    slow > 0
      ? counted(slow, 'slow call')
      : span.statements.length > 0
        ? counted(span.statements.length, 'statement')
        : undefined;
  return [lostAt === undefined ? held : `lost at line ${lostAt}`, busy]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function hintAt(
  document: TextDocument,
  line: number,
  label: string,
  tooltip: MarkupContent,
): InlayHint {
  return { position: endOfLine(document, line - 1), label, tooltip, paddingLeft: true };
}

function endOfLine(document: TextDocument, line: number): Position {
  const text = document.getText({
    start: { line, character: 0 },
    end: { line: line + 1, character: 0 },
  });
  return { line, character: text.trimEnd().length };
}
