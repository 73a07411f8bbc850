import { Location, Range, Uri, commands, type Disposable } from 'vscode';
import type { Location as PlainLocation } from 'vscode-languageclient';
import { findingCommands } from '../../contributions.ts';

/** Opens the steps of a finding beside the code, one after the other: what ESLint reports carries no related places. */
export function registerShowPath(): Disposable {
  return commands.registerCommand(
    findingCommands.showPath,
    async (places: readonly PlainLocation[]) => {
      const [first, ...rest] = places.map(toLocation);
      if (first !== undefined)
        await commands.executeCommand(
          'editor.action.peekLocations',
          first.uri,
          first.range.start,
          [first, ...rest],
          'peek',
        );
    },
  );
}

function toLocation({ uri, range: { start, end } }: PlainLocation): Location {
  return new Location(
    Uri.parse(uri),
    new Range(start.line, start.character, end.line, end.character),
  );
}
