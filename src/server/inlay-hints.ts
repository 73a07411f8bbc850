import type { InlayHint, MarkupContent, Range } from 'vscode-languageserver';
import { MarkupKind } from 'vscode-languageserver';
import type { HeldSpan } from '../../rules/index.ts';
import type { Positions } from '../lint/positions.ts';
import { stopIfCancelled } from './diagnostics.ts';
import { counted, knownSpans, linesOf, startLines } from './held/span-facts.ts';
import { storyOf } from './held/story.ts';
import { toMarkup, wordingFor, type Wording } from './held/wording.ts';
import type { Feature } from './session.ts';
import type { Snapshot } from './snapshot.ts';

/** Says behind an acquire how long its client is held, and after a release since when; where the user wants to see that. */
export const inlayHints: Feature = {
  capabilities: () => ({ inlayHintProvider: true }),
  register(session) {
    const { connection, documents, checks, client } = session;
    connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
      await stopIfCancelled(token);
      const snapshot = documents.get(uri);
      if (snapshot === undefined || !(await session.settingsOf(uri))['lint.heldSpans']) return [];
      const { linted } = await checks.of(snapshot);
      // An editor tells for hovers only which texts it can show.
      return hintsIn(
        snapshot,
        range,
        linted?.spans() ?? [],
        wordingFor(
          snapshot,
          client().can.textDocument?.hover?.contentFormat ?? [MarkupKind.PlainText],
        ),
      );
    });
    session.onStale(() => {
      if (client().can.workspace?.inlayHint?.refreshSupport === true)
        session.inBackground(connection.languages.inlayHint.refresh());
    });
  },
};

export function hintsIn(
  { positions }: Pick<Snapshot, 'positions'>,
  range: Range,
  spans: readonly HeldSpan[],
  say: Wording,
): InlayHint[] {
  return knownSpans(spans)
    .flatMap((span) => hintsOf(positions, span, say))
    .filter(({ position: { line } }) => line >= range.start.line && line <= range.end.line);
}

function hintsOf(positions: Positions, span: HeldSpan, say: Wording): readonly InlayHint[] {
  const tooltip = toMarkup(say, storyOf(span, say));
  const acquired = span.acquire.end.line;
  const released = startLines(span.releases).filter((line) => line > acquired);
  return [
    hintAt(positions, acquired, labelOf(span, positions), tooltip),
    ...released.map((line) =>
      hintAt(
        positions,
        line,
        `held since line ${positions.shownLine(span.acquire.start.line)}`,
        tooltip,
      ),
    ),
  ];
}

/** `held to line 20 · 3 statements`, `held to line 20 · 1 slow call`, `leaks at line 16` */
function labelOf(span: HeldSpan, { shownLine }: Positions): string {
  const [lostAt] = startLines(span.leaves);
  const { first, last } = linesOf(span);
  const held = first === last ? 'held on this line' : `held to line ${shownLine(last)}`;
  const slow = span.slowAwaits.length;
  const busy =
    slow > 0
      ? counted(slow, 'slow call')
      : span.statements.length > 0
        ? counted(span.statements.length, 'statement')
        : undefined;
  return [lostAt === undefined ? held : `leaks at line ${shownLine(lostAt)}`, busy]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** At the end of a line, behind what is written there. */
function hintAt(
  positions: Positions,
  line: number,
  label: string,
  tooltip: MarkupContent,
): InlayHint {
  const end = positions.startOf(line) + positions.lineAt(line).trimEnd().length;
  return { position: positions.ofOffsets(end, end).start, label, tooltip, paddingLeft: true };
}
