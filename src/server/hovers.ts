import type { Hover, Position, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { HeldSpan } from '../../rules/index.ts';
import { stopIfCancelled } from './diagnostics.ts';
import { knownSpans, rangeOf } from './held/span-facts.ts';
import { storyOf } from './held/story.ts';
import { toMarkup, wordingFor, type Wording } from './held/wording.ts';
import type { Feature } from './session.ts';

/** Tells at an acquire, at its variable and at a release what is held, how long, what for, and where it is lost. */
export const hovers: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  register({ connection, documents, checks, client }) {
    connection.onHover(async ({ textDocument: { uri }, position }, token) => {
      await stopIfCancelled(token);
      const document = documents.get(uri);
      if (document === undefined) return null;
      const { linted } = await checks.of(document);
      return hoverAt(
        document,
        position,
        linted?.spans() ?? [],
        wordingFor(uri, client().can.textDocument?.hover?.contentFormat),
      );
    });
  },
};

/** What is said at a place; of two clients there, the one that is acquired last. */
export function hoverAt(
  document: TextDocument,
  position: Position,
  spans: readonly HeldSpan[],
  say: Wording,
): Hover | null {
  const found = knownSpans(spans).flatMap((span) => {
    const range = placesOf(document, span).find((each) => holds(each, position));
    return range === undefined ? [] : [{ span, range }];
  });
  const last = found.at(-1);
  return last === undefined
    ? null
    : { contents: toMarkup(say, storyOf(last.span, say)), range: last.range };
}

function placesOf(document: TextDocument, span: HeldSpan): readonly Range[] {
  return [rangeOf(span.acquire), ...span.releases.map(rangeOf), ...variableBeside(document, span)];
}

/** The client's name on the lines of its acquire, and on the one before where the acquire begins a line: `const client =⏎ await pool.connect()`. */
function variableBeside(document: TextDocument, { client, acquire }: HeldSpan): readonly Range[] {
  if (client === undefined || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(client)) return [];
  const name = new RegExp(
    `(?<![\\p{ID_Continue}$.])${client.replaceAll('$', '\\$')}(?![\\p{ID_Continue}$])`,
    'gu',
  );
  const before = document.getText({
    start: { line: Math.max(acquire.start.line - 2, 0), character: 0 },
    end: { line: acquire.start.line - 1, character: acquire.start.column },
  });
  const firstLine = /=\s*(?:await\s*)?$/u.test(before)
    ? acquire.start.line - 1
    : acquire.start.line;
  return [...new Set([firstLine, acquire.start.line, acquire.end.line])].flatMap((line) =>
    rangesIn(document, line - 1, name),
  );
}

function rangesIn(document: TextDocument, line: number, name: RegExp): Range[] {
  const text =
    line < 0
      ? ''
      : document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  return [...text.matchAll(name)].map(({ index, 0: found }) => ({
    start: { line, character: index },
    end: { line, character: index + found.length },
  }));
}

function holds({ start, end }: Range, { line, character }: Position): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
