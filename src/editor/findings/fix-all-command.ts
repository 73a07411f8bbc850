import { commands, type Disposable } from 'vscode';
import { findingCommands } from '../../contributions.ts';

/** As `editor.codeActionsOnSave` asks for it; the server's kind of the same name. */
const kind = 'source.fixAll.poolguard';

/** Mends in the active editor what needs no choice; VS Code itself says when there is nothing to mend. */
export function fixAllCommand(): Disposable {
  return commands.registerCommand(findingCommands.fixAll, () =>
    commands.executeCommand('editor.action.codeAction', { kind, apply: 'first' }),
  );
}
