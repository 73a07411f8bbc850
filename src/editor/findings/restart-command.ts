import { commands, type Disposable } from 'vscode';
import { findingCommands } from '../../contributions.ts';
import type { Findings } from './part.ts';

/** For a server that was given up on, or that misbehaves. */
export function restartCommand({ server }: Findings): Disposable {
  return commands.registerCommand(findingCommands.restartServer, () => server.restart());
}
