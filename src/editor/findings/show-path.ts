import { commands, type Disposable } from 'vscode';
import type { Location } from 'vscode-languageclient';
import { findingCommands } from '../../contributions.ts';
import type { Findings } from './register-findings.ts';

/** Opens the steps of a finding beside the code, one after the other: what ESLint reports carries no related places. */
export function registerShowPath({ client }: Findings): Disposable {
  return commands.registerCommand(findingCommands.showPath, async (places: readonly Location[]) => {
    const [first, ...rest] = places.map((place) => client.protocol2CodeConverter.asLocation(place));
    if (first !== undefined) await commands.executeCommand('editor.action.peekLocations', first.uri, first.range.start, [first, ...rest], 'peek');
  });
}
