import type { CodeAction, Command, TextDocument } from 'vscode';
import type { Location } from 'vscode-languageclient';
import { findingCommands } from '../../contributions.ts';

/**
 * The path that a list of code actions offers. The editor forgets the arguments of a command with its list, which a finding that comes in
 * renews while somebody chooses from it (VS Code's `CommandsConverter`): a single path is kept here instead.
 */
export class OfferedPath {
  #kept: { readonly document: string; readonly places: readonly Location[] } | undefined;

  /** The same actions. Several paths at one place keep their arguments, which tell them apart. */
  keep(
    { uri }: Pick<TextDocument, 'uri'>,
    actions: (Command | CodeAction)[] | null | undefined,
  ): (Command | CodeAction)[] | null | undefined {
    const [command, another] = (actions ?? []).flatMap((action) =>
      typeof action.command === 'object' && action.command.command === findingCommands.showPath
        ? [action.command]
        : [],
    );
    if (command === undefined || another !== undefined) return actions;
    this.#kept = {
      document: uri.toString(),
      places: (command.arguments?.[0] ?? []) as readonly Location[],
    };
    delete command.arguments;
    return actions;
  }

  of(document: Pick<TextDocument, 'uri'> | undefined): readonly Location[] {
    const isIts = this.#kept !== undefined && this.#kept.document === document?.uri.toString();
    return isIts ? (this.#kept?.places ?? []) : [];
  }
}
