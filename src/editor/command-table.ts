import { Disposable, commands as editorCommands } from 'vscode';

/** One handler for each command of a group in `src/contributions.ts`. An argument comes from anywhere and is checked by its handler. */
export type CommandTable<Group extends Readonly<Record<string, string>>> = {
  readonly [Id in Group[keyof Group]]: (argument?: unknown) => unknown;
};

export function registerCommands(
  ...tables: readonly Readonly<Record<string, (argument?: unknown) => unknown>>[]
): Disposable {
  return Disposable.from(
    ...tables
      .flatMap((table) => Object.entries(table))
      .map(([id, handler]) => editorCommands.registerCommand(id, handler)),
  );
}
