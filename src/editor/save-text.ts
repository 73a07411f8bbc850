import { randomBytes } from 'node:crypto';
import { FileSystemError, Uri, window, workspace } from 'vscode';
import { toPlainText } from '../activity/plain-text.ts';
import { plainMessage } from './connections/plain-labels.ts';

export interface TextToSave {
  readonly text: string;
  /** Proposed, with its ending. */
  readonly name: string;
  /** Without its dot. */
  readonly ending: string;
  /** The format, as the dialog names it. */
  readonly format: string;
  /** What is in it, for the sentences: "The sessions". */
  readonly what: string;
}

/** Asks where to, writes, and offers to open what was written. Says so when it could not be. */
export async function saveText({ text, name, ending, format, what }: TextToSave): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    saveLabel: 'Export',
    ...(folder && { defaultUri: Uri.joinPath(folder, name) }),
    filters: { [format]: [ending] },
  });
  if (target === undefined) return;
  const problem = await writeWhole(target, text);
  if (problem !== undefined)
    return void window.showErrorMessage(
      plainMessage(
        `${what} could not be written to ${target.fsPath}: ${problem} Choose another folder, or copy them to the clipboard.`,
      ),
    );
  const open = 'Open';
  if (
    (await window.showInformationMessage(
      plainMessage(`${what} are in ${target.fsPath}.`),
      open,
    )) === open
  )
    await window.showTextDocument(target);
}

/** Writes all of it or nothing: under another name first, which then takes the place. Gives a sentence when it could not. */
async function writeWhole(target: Uri, text: string): Promise<string | undefined> {
  const draft = target.with({ path: `${target.path}.${randomBytes(6).toString('hex')}.tmp` });
  try {
    await workspace.fs.writeFile(draft, new TextEncoder().encode(text));
    await workspace.fs.rename(draft, target, { overwrite: true });
    return undefined;
  } catch (failure) {
    await workspace.fs.delete(draft).then(undefined, () => undefined);
    return reason(failure);
  }
}

const reasons: Readonly<Record<string, string>> = {
  NoPermissions: 'permission denied.',
  FileNotFound: 'the folder does not exist.',
  FileNotADirectory: 'the path of the folder is a file.',
  FileIsADirectory: 'the path is a folder.',
  Unavailable: 'the file system is unavailable.',
};

function reason(failure: unknown): string {
  const known = failure instanceof FileSystemError ? reasons[failure.code] : undefined;
  return (
    known ??
    `${toPlainText(failure instanceof Error ? failure.message : String(failure)).replace(/\.?$/, '.')}`
  );
}
