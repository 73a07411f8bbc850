import type { HeldSpan } from '../../rules/index.ts';
import type { Positions } from '../lint/positions.ts';
import { knownSpans } from './held/span-facts.ts';
import { answer } from './answer.ts';
import { InDocument } from './asked.ts';
import { checksStale, heldLines, type HeldLines } from './protocol.ts';
import type { Feature } from './session.ts';

/** Answers on which lines clients are held, and tells when that may have changed without an edit. */
export const heldLinesFeature: Feature = {
  capabilities: () => ({}),
  register(session) {
    const { connection, documents, checks } = session;
    answer(connection, heldLines, InDocument, async ({ uri }) => {
      const snapshot = documents.get(uri);
      if (snapshot === undefined) return [];
      const { linted, status } = await checks.of(snapshot);
      return status.kind === 'unparsable' || status.kind === 'failed'
        ? null
        : toHeldLines(linted?.spans() ?? [], snapshot.positions);
    });
    session.onStale(() => {
      if (session.client().facts.showsPaths)
        session.inBackground(connection.sendNotification(checksStale.method));
    });
  },
};

export function toHeldLines(
  spans: readonly HeldSpan[],
  { shownLine }: Positions,
): readonly HeldLines[] {
  return knownSpans(spans).map(({ lines, leaves }) => ({
    ranges: lines.map(({ startLine, endLine }) => ({
      start: { line: shownLine(startLine) - 1, character: 0 },
      end: { line: shownLine(endLine) - 1, character: 0 },
    })),
    isLeaked: leaves.length > 0,
  }));
}
