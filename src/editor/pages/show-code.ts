import { Position, Range, Uri, window, workspace } from 'vscode';
import { labelOf, type LinkedPlaces } from '../../linking/linked-code.ts';
import type { CodePlace } from '../../linking/code-statement.ts';
import type { StatementMatch } from '../../activity/code-knowledge.ts';
import { plainLabel, plainMessage } from '../connections/plain-labels.ts';

const matchWords: Readonly<Record<StatementMatch, string>> = {
  exact: 'exact match',
  template: 'matches a template',
  normalised: 'matches except for white space, case and values',
  beginning: 'matches the part that the server shows',
  table: 'uses the same table',
};

/** Opens the line that writes a session's statement; of several the user chooses. Says so where there is none. */
export async function showStatement(linked: LinkedPlaces | null | undefined): Promise<void> {
  if (linked === undefined)
    return say('Poolguard is still reading the code. Try again in a moment.');
  if (linked === null) return say('The statement was not found in the workspace.');
  const [first, ...more] = linked.places;
  if (first === undefined) return undefined;
  if (more.length === 0) return open(first);
  const items = linked.places.map((place) => ({
    label: plainLabel(labelOf(place)),
    description: place.findings.map(({ rule }) => `flagged ${rule}`).join(', '),
    place,
  }));
  const chosen = await window.showQuickPick(items, {
    title:
      linked.match === 'table'
        ? `Built by one of ${items.length} calls for its table`
        : `Written at ${items.length} places, ${matchWords[linked.match]}`,
    placeHolder: 'Choose where to go',
    matchOnDescription: true,
  });
  if (chosen !== undefined) await open(chosen.place);
}

/** Opens the line that makes a pool. */
export async function showPool(pool: CodePlace | undefined): Promise<void> {
  if (pool === undefined)
    return say('There is not exactly one pool with this application name in the workspace.');
  await open(pool);
}

/** The place comes from the language server, never from a page or a database; it has to lie in the workspace all the same. */
async function open({ uri, line, column }: CodePlace): Promise<void> {
  const target = Uri.parse(uri, true);
  if (workspace.getWorkspaceFolder(target) === undefined)
    return say('The file is not in this workspace.');
  const position = new Position(line - 1, column);
  try {
    await window.showTextDocument(target, { selection: new Range(position, position) });
  } catch {
    say('The file can no longer be opened.');
  }
}

function say(sentence: string): void {
  void window.showInformationMessage(plainMessage(sentence));
}
