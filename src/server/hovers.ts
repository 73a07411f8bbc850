import type { Hover, Position, Range } from 'vscode-languageserver';
import type { HeldSpan } from '../../rules/index.ts';
import type { Positions } from '../lint/positions.ts';
import { stopIfCancelled } from './diagnostics.ts';
import { knownSpans } from './held/span-facts.ts';
import { storyOf } from './held/story.ts';
import { toMarkup, wordingFor, type Wording } from './held/wording.ts';
import type { Feature } from './session.ts';
import type { Snapshot } from './snapshot.ts';

/** Tells at an acquire, at its variable and at a release what is held, how long, what for, and where it is lost. */
export const hovers: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  register({ connection, documents, checks, client }) {
    connection.onHover(async ({ textDocument: { uri }, position }, token) => {
      await stopIfCancelled(token);
      const snapshot = documents.get(uri);
      if (snapshot === undefined) return null;
      const { linted } = await checks.of(snapshot);
      return hoverAt(
        snapshot,
        position,
        linted?.spans() ?? [],
        wordingFor(snapshot, client().can.textDocument?.hover?.contentFormat),
      );
    });
  },
};

/** What is said at a place; of two clients there, the one that is acquired last. */
export function hoverAt(
  { positions }: Pick<Snapshot, 'positions'>,
  position: Position,
  spans: readonly HeldSpan[],
  say: Wording,
): Hover | null {
  const found = knownSpans(spans).flatMap((span) => {
    const range = placesOf(positions, span).find((each) => holds(each, position));
    return range === undefined ? [] : [{ span, range }];
  });
  const last = found.at(-1);
  return last === undefined
    ? null
    : { contents: toMarkup(say, storyOf(last.span, say)), range: last.range };
}

function placesOf(positions: Positions, span: HeldSpan): readonly Range[] {
  return [
    ...[span.acquire, ...span.releases].map(positions.ofPlace),
    ...variableBeside(positions, span),
  ];
}

/** The client's name on the lines of its acquire, and on the one before where the acquire begins a line: `const client =⏎ await pool.connect()`. */
function variableBeside(positions: Positions, { client, acquire }: HeldSpan): readonly Range[] {
  if (client === undefined || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(client)) return [];
  const name = new RegExp(
    `(?<![\\p{ID_Continue}$.])${client.replaceAll('$', '\\$')}(?![\\p{ID_Continue}$])`,
    'gu',
  );
  const before = positions.code.slice(
    positions.startOf(Math.max(acquire.start.line - 1, 1)),
    positions.startOf(acquire.start.line) + acquire.start.column,
  );
  const firstLine = /=\s*(?:await\s*)?$/u.test(before)
    ? Math.max(acquire.start.line - 1, 1)
    : acquire.start.line;
  return [...new Set([firstLine, acquire.start.line, acquire.end.line])].flatMap((line) =>
    rangesIn(positions, line, name),
  );
}

function rangesIn(positions: Positions, line: number, name: RegExp): Range[] {
  const start = positions.startOf(line);
  return [...positions.lineAt(line).matchAll(name)].map(({ index, 0: found }) =>
    positions.ofOffsets(start + index, start + index + found.length),
  );
}

function holds({ start, end }: Range, { line, character }: Position): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
