import { Range, Uri, WorkspaceEdit, env, window, workspace, type TextDocument, type WorkspaceFolder } from 'vscode';
import type { SetupAnswer, SetupFacts } from '../../lint/setup/setup-answer.ts';
import { lintSetup } from '../../server/protocol.ts';
import type { Findings } from '../findings/register-findings.ts';
import { ask } from '../findings/talk.ts';
import { readSetting } from '../read-settings.ts';
import { findProject, type Project } from './find-project.ts';
import { installCommand, packageManagerOf } from './package-manager.ts';

type Client = Findings['client'];

/** Writes our plugin into the project's configuration of ESLint or oxlint, after the user has seen the change, or shows what to write. */
export async function setUpLinters(client: Client): Promise<void> {
  if (!workspace.isTrusted) return void window.showInformationMessage('Poolguard writes no configuration in Restricted Mode. Trust this workspace first.');
  const folder = await pickFolder();
  if (folder === undefined) return;
  const project = await findProject(folder, window.activeTextEditor?.document.uri);
  const linter = await pickLinter(project);
  if (linter === undefined) return;
  const existing = linter === 'eslint' ? project.eslint : project.oxlint;
  if (existing === null && project.legacy !== null) return sayLegacy(project.legacy);
  const config = existing ?? Uri.joinPath(project.folder, 'eslint.config.mjs');
  const document = existing === null ? null : await workspace.openTextDocument(existing);
  const answer = await ask(client, lintSetup, factsOf(folder, project, config, document));
  if (answer === undefined) return void window.showErrorMessage('Poolguard’s language server is not running, so the configuration cannot be read. The Poolguard output channel says why.');
  if (await apply(answer, config, document)) await offerInstall(project, linter);
}

function factsOf(folder: WorkspaceFolder, { typescript }: Project, config: Uri, document: TextDocument | null): SetupFacts {
  return { fileName: config.path.split('/').at(-1) ?? '', text: document?.getText() ?? null, preset: readSetting('lint.preset', folder), pooler: readSetting('pooler', folder), typescript };
}

async function pickFolder(): Promise<WorkspaceFolder | undefined> {
  const [only, more] = workspace.workspaceFolders ?? [];
  const active = window.activeTextEditor?.document.uri;
  const near = active === undefined ? undefined : workspace.getWorkspaceFolder(active);
  if (only === undefined) return void window.showInformationMessage('Open the folder of your project first; the configuration is written into it.');
  return more === undefined ? only : (near ?? window.showWorkspaceFolderPick({ placeHolder: 'The folder whose ESLint configuration is to run Poolguard' }));
}

async function pickLinter({ eslint, oxlint, legacy }: Project): Promise<'eslint' | 'oxlint' | undefined> {
  if (oxlint === null) return 'eslint';
  if (eslint === null && legacy === null) return 'oxlint';
  const items = [{ label: 'ESLint', linter: 'eslint' }, { label: 'oxlint', linter: 'oxlint' }] as const;
  return (await window.showQuickPick(items, { title: 'Which linter is to run Poolguard?' }))?.linter;
}

async function sayLegacy(name: string): Promise<void> {
  const command = `npx @eslint/migrate-config ${name}`;
  const chosen = await window.showInformationMessage(`This project has an ${name}, and Poolguard’s plugin needs the newer form, eslint.config.*. ESLint’s own tool converts it; run this command again afterwards.`, 'Copy the command');
  if (chosen !== undefined) await env.clipboard.writeText(command);
}

/** Whether our plugin is in the configuration now. */
async function apply(answer: SetupAnswer, config: Uri, document: TextDocument | null): Promise<boolean> {
  switch (answer.kind) {
    case 'already':
      void window.showInformationMessage(`${workspace.asRelativePath(config)} runs Poolguard already.`);
      return true;
    case 'by hand':
      await window.showTextDocument(await workspace.openTextDocument({ language: config.path.endsWith('.json') ? 'json' : 'javascript', content: answer.snippet }));
      void window.showInformationMessage(answer.sentence);
      return false;
    case 'create':
    case 'edit':
      return confirmAndWrite(answer, config, document);
  }
}

/** The editor shows what would change, and the user applies or discards it; undo takes it back. */
async function confirmAndWrite(answer: Extract<SetupAnswer, { kind: 'create' | 'edit' }>, config: Uri, document: TextDocument | null): Promise<boolean> {
  const edit = new WorkspaceEdit();
  const asked = { needsConfirmation: true, label: 'Run Poolguard in this project' };
  if (document === null) edit.createFile(config, { contents: new TextEncoder().encode(answer.kind === 'create' ? answer.text : '') }, asked);
  else for (const { start, end, text } of editsOf(answer, document)) edit.replace(config, new Range(document.positionAt(start), document.positionAt(end)), text, asked);
  const isApplied = await workspace.applyEdit(edit, { isRefactoring: true });
  if (isApplied && (await isThere(config))) await window.showTextDocument(config);
  return isApplied && (await isThere(config));
}

function editsOf(answer: Extract<SetupAnswer, { kind: 'create' | 'edit' }>, document: TextDocument): readonly { readonly start: number; readonly end: number; readonly text: string }[] {
  return answer.kind === 'edit' ? answer.edits : [{ start: 0, end: document.getText().length, text: answer.text }];
}

/** A change that was discarded counts as applied for the editor. */
async function isThere(config: Uri): Promise<boolean> {
  try {
    return (await workspace.openTextDocument(config)).getText().includes('eslint-plugin-poolguard');
  } catch {
    return false;
  }
}

/** The command is typed and not run: what a workspace installs is its owner's to start. */
async function offerInstall({ has, folder, packageManager, files }: Project, linter: 'eslint' | 'oxlint'): Promise<void> {
  const packages = [...(has.plugin ? [] : ['eslint-plugin-poolguard']), ...(linter === 'oxlint' || has.eslint ? [] : ['eslint'])];
  if (packages.length === 0) return;
  const command = installCommand(packageManagerOf(packageManager, files), packages, files);
  const chosen = await window.showInformationMessage(`What is left to do: ${command}`, 'Type it into a terminal', 'Copy');
  if (chosen === 'Copy') await env.clipboard.writeText(command);
  if (chosen !== 'Type it into a terminal') return;
  const terminal = window.createTerminal({ name: 'Poolguard set-up', cwd: folder });
  terminal.show();
  terminal.sendText(command, false);
}
