import { FileType, Position, Range, Uri, window, workspace } from 'vscode';
import type { CodePlace } from '../../../monitor/report.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { fileOfPlace } from './file-of-place.ts';

/** Opens a line that an application named: a file of this machine, and one outside of the workspace only when the user agrees. */
export async function openPlace({ file, line, column }: CodePlace): Promise<void> {
  const path = fileOfPlace(file);
  const uri = path === undefined ? undefined : Uri.file(path);
  if (uri === undefined || !(await isFile(uri)))
    return say(
      `${toPlainText(file)} does not exist on this machine. A common cause is a source map with paths of another machine.`,
    );
  if (workspace.getWorkspaceFolder(uri) === undefined && !(await isWanted(uri))) return;
  const position = new Position(Math.max(0, line - 1), Math.max(0, column - 1));
  try {
    await window.showTextDocument(uri, { selection: new Range(position, position) });
  } catch {
    say(`${toPlainText(file)} cannot be opened as text.`);
  }
}

async function isFile(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** What lies elsewhere is not what the user trusted with this workspace. */
async function isWanted(uri: Uri): Promise<boolean> {
  const open = 'Open';
  const detail = plainMessage(`The running application names ${uri.fsPath}.`);
  return (
    (await window.showWarningMessage(
      'This file is outside the workspace. Open it?',
      { modal: true, detail },
      open,
    )) === open
  );
}

function say(sentence: string): void {
  void window.showInformationMessage(plainMessage(sentence));
}
