import { window } from 'vscode';
import { labelOf } from '../../linking/linked-code.ts';
import type { CodeStatement } from '../../linking/code-statement.ts';
import type { StatementRequest } from '../../probe/request.ts';
import type { CodeIndex } from '../code-index.ts';
import { plainLabel, plainMessage } from '../connections/plain-labels.ts';
import { askForStatement, askForValues, withKnownValues } from './ask-for-statement.ts';
import { isSentQuery } from './code-queries.ts';
import type { ProbeMemory } from './probe-memory.ts';
import { fillHoles } from './statement-shape.ts';

/** A place in the code, its line counted from 1. */
export interface QueryPlace {
  readonly uri: string;
  readonly line: number;
}

/** Arguments of a command come from anywhere. */
function readQueryPlace(value: unknown): QueryPlace | undefined {
  if (typeof value !== 'object' || value === null || !('uri' in value) || !('line' in value))
    return undefined;
  const { uri, line } = value;
  return typeof uri === 'string' && Number.isSafeInteger(line)
    ? { uri, line: Number(line) }
    : undefined;
}

/** The statement of the code that is sent at a place, with the values that it had last; the one under the cursor where no place is named, with values that are asked for. Undefined when there is none, or the user gave up. */
export async function chooseQuery(
  argument: unknown,
  { code }: CodeIndex,
  memory: ProbeMemory,
): Promise<StatementRequest | undefined> {
  if (code === undefined) return say('Poolguard is still reading the code. Try again in a moment.');
  const named = readQueryPlace(argument);
  const place = named ?? placeOfCursor();
  const there =
    place === undefined
      ? []
      : code.facts.statements.filter(
          (each) =>
            each.uri === place.uri &&
            each.line === place.line &&
            isSentQuery({ ...each, isAside: false }),
        );
  const statement = await chooseOne(there);
  if (statement === undefined)
    return there.length > 0
      ? undefined
      : say(
          'This line sends no SELECT. Place the cursor on the line of a .query(…) and try again.',
        );
  const [text = '', ...more] = statement.pieces;
  if (more.length > 0) return askAboutHoles(statement, memory);
  return (named === undefined ? askForValues : withKnownValues)(text.trim(), memory);
}

/** What fills a hole at run time is not known, and may be more than a value. */
async function askAboutHoles(
  { pieces }: CodeStatement,
  memory: ProbeMemory,
): Promise<StatementRequest | undefined> {
  const type = 'Type the statement…';
  const holes = pieces.length - 1;
  const answer = await window.showInformationMessage(
    plainMessage(
      `The code fills in ${holes === 1 ? 'a part' : `${holes} parts`} of this statement at run time. Type the statement as the server receives it; a value can be $1.`,
    ),
    type,
  );
  return answer === undefined
    ? undefined
    : askForStatement(memory, fillHoles(pieces).trim().replaceAll(/\s+/gu, ' '));
}

/** A call may send one of several texts. */
async function chooseOne(statements: readonly CodeStatement[]): Promise<CodeStatement | undefined> {
  if (statements.length < 2) return statements[0];
  const items = statements.map((statement) => ({
    label: plainLabel(statement.pieces.join('…').trim()),
    description: plainLabel(labelOf(statement)),
    statement,
  }));
  return (await window.showQuickPick(items, { title: 'Probe which statement?' }))?.statement;
}

function placeOfCursor(): QueryPlace | undefined {
  const editor = window.activeTextEditor;
  return editor && { uri: editor.document.uri.toString(), line: editor.selection.active.line + 1 };
}

function say(sentence: string): undefined {
  void window.showInformationMessage(plainMessage(sentence));
}
