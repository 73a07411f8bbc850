import type { Position } from 'vscode-languageserver/node';

/** One change of a document, as an editor tells it. */
export interface Keystroke {
  readonly at: Position;
  readonly text: string;
}

/** What an editor writes besides when somebody types the first of a pair; the second is then typed over. */
const pairs: Readonly<Record<string, string>> = { '(': ')', "'": "'" };

/** Typing `statement` into a line that is empty but for its indentation: a keystroke a character, with pairs closed by the editor. */
export function type(statement: string, line: number, indentation: number): readonly Keystroke[] {
  const open: string[] = [];
  return [...statement].flatMap((character, index) => {
    if (open.at(-1) === character) {
      open.pop();
      return [];
    }
    const second = pairs[character] ?? '';
    if (second !== '') open.push(second);
    return [{ at: { line, character: indentation + index }, text: character + second }];
  });
}

/** A finding that comes and goes, text that means nothing to us, and states in between that do not parse. */
const statements = [
  "log('checked', Date.now());",
  'await pause(20 + 5);',
  "const found = titleCase('name');",
];

/**
 * At least `count` keystrokes at places spread over a text: before each statement a new line comes, after one that is followed by a
 * deeper or equal one, as somebody does who goes through a file.
 */
export function typeBetween(text: string, count: number): readonly Keystroke[] {
  const places = text
    .split('\n')
    .flatMap((line, index) =>
      line.trimEnd().endsWith(' {') && /^\s*(?:try|for|export async function)/u.test(line)
        ? [{ line: index, indentation: /^\s*/u.exec(line)?.[0].length ?? 0 }]
        : [],
    );
  const perStatement = statements.join('').length / statements.length;
  const stops = Math.ceil(count / perStatement) + 1;
  // From the end to the start, so that lines yet to come keep their numbers.
  const chosen = Array.from(
    { length: stops },
    (_, stop) => places[Math.floor(((stops - stop - 0.5) * places.length) / stops)],
  ).filter((place) => place !== undefined);
  return chosen.flatMap(({ line, indentation }, index) => {
    const inner = indentation + 2;
    const newLine = { at: { line: line + 1, character: 0 }, text: `${' '.repeat(inner)}\n` };
    return [newLine, ...type(statements[index % statements.length] ?? '', line + 1, inner)];
  });
}
