import { MarkupKind, type MarkupContent } from 'vscode-languageserver';
import { shorten, toPlainText } from '../../activity/plain-text.ts';
import type { Positions } from '../../lint/positions.ts';
import type { Snapshot } from '../snapshot.ts';

/** How one kind of text shows code and names a line. */
export interface Wording {
  readonly kind: MarkupKind;
  code(text: string): string;
  strong(text: string): string;
  /** @param line 1-based, as ESLint counts, of the file that the text is about */
  line(line: number): string;
}

/** Texts about a document, in Markdown where the editor shows that. */
export function wordingFor(
  { uri, positions }: Pick<Snapshot, 'uri' | 'positions'>,
  formats: readonly MarkupKind[] | undefined,
): Wording {
  return formats?.includes(MarkupKind.Markdown) === true
    ? inMarkdown(uri, positions)
    : inPlainText(positions);
}

/** One line each; between paragraphs of Markdown stands an empty one. */
export function toMarkup({ kind }: Wording, lines: readonly string[]): MarkupContent {
  return { kind, value: lines.join(kind === MarkupKind.Markdown ? '\n\n' : '\n') };
}

function inPlainText({ shownLine }: Positions): Wording {
  return {
    kind: MarkupKind.PlainText,
    code: inOneLine,
    strong: (text) => text,
    line: (line) => `line ${shownLine(line)}`,
  };
}

function inMarkdown(uri: string, { shownLine }: Positions): Wording {
  const address = linkTarget(uri);
  return {
    kind: MarkupKind.Markdown,
    code: codeSpan,
    strong: (text) => `**${text}**`,
    line(line) {
      const shown = shownLine(line);
      return address === undefined ? `line ${shown}` : `[line ${shown}](${address}#L${shown})`;
    },
  };
}

/** Only an address that cannot end the link, or be anything but a file. */
function linkTarget(uri: string): string | undefined {
  return /^(?!command:|javascript:|data:)[a-z][a-z0-9+.-]*:/iu.test(uri)
    ? uri.replace(/[\s()<>[\]\\`"'#]/gu, (character) =>
        encodeURIComponent(character).replace(/[()']/gu, percent),
      )
    : undefined;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The workspace's text is hostile: the fence is longer than any run of backticks inside, and nothing ends the line. */
function codeSpan(text: string): string {
  const short = inOneLine(text);
  const longest = Math.max(0, ...[...short.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const edge = longest > 0 ? ' ' : '';
  return `${fence}${edge}${short}${edge}${fence}`;
}

const longestText = 60;

/** White space becomes one space; what hides or turns the direction of writing is shown as its escape. */
function inOneLine(text: string): string {
  const line = toPlainText(text.replace(/\s+/gu, ' ')).trim();
  return line === '' ? '…' : shorten(line, longestText);
}
