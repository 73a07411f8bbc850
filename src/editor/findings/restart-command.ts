import { commands, type Disposable } from 'vscode';
import { findingCommands } from '../../contributions.ts';
import type { Findings } from './register-findings.ts';

/** For somebody whose server has stopped for good, or does what it should not. */
export function restartCommand({ server }: Findings): Disposable {
  return commands.registerCommand(findingCommands.restartServer, () => server.restart());
}
