import {
  Range,
  Uri,
  WorkspaceEdit,
  env,
  window,
  workspace,
  type TextDocument,
  type WorkspaceFolder,
} from 'vscode';
import { applyEdits } from '../../lint/setup/text-edit.ts';
import type { SetupAnswer } from '../../lint/setup/setup-answer.ts';
import { lintSetup } from '../../server/protocol.ts';
import type { LanguageServer } from '../findings/language-server.ts';
import { ask } from '../findings/talk.ts';
import type { ReadSetting } from '../read-settings.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { findProject, type Project } from './find-project.ts';
import { isChangeWanted } from './show-change.ts';
import { nextStep, packageManagerOf } from './package-manager.ts';

/** Writes our plugin into the project's configuration of ESLint or oxlint, after the user has seen the change, or shows what to write. */
export async function setUpLinters(
  server: LanguageServer,
  readSetting: ReadSetting,
): Promise<void> {
  if (!workspace.isTrusted)
    return void window.showInformationMessage(
      'Poolguard does not write configuration files in Restricted Mode. Trust this workspace first.',
    );
  const folder = await pickFolder();
  if (folder === undefined) return;
  const project = await findProject(folder, window.activeTextEditor?.document.uri);
  const linter = await pickLinter(project);
  if (linter === undefined) return;
  const existing = linter === 'eslint' ? project.eslint : project.oxlint;
  if (existing === null && project.legacy !== null) return sayLegacy(project.legacy);
  const config = existing ?? Uri.joinPath(project.folder, 'eslint.config.mjs');
  const document = existing === null ? null : await workspace.openTextDocument(existing);
  await server.start();
  const answer = await ask(server, lintSetup, {
    ...textOf(config, document),
    preset: readSetting('lint.preset', folder),
    pooler: readSetting('pooler', folder),
    typescript: project.typescript,
  });
  if (answer === undefined)
    return void window.showErrorMessage(
      'Poolguard’s language server is not running, so the configuration cannot be read. See the Poolguard output channel.',
    );
  if (await apply(answer, config, document)) await offerInstall(project, linter);
}

function textOf(config: Uri, document: TextDocument | null) {
  return {
    fileName: config.path.split('/').at(-1) ?? '',
    text: document?.getText() ?? null,
  };
}

async function pickFolder(): Promise<WorkspaceFolder | undefined> {
  const [only, more] = workspace.workspaceFolders ?? [];
  const active = window.activeTextEditor?.document.uri;
  const near = active === undefined ? undefined : workspace.getWorkspaceFolder(active);
  if (only === undefined)
    return void window.showInformationMessage('Open the folder of your project first.');
  return more === undefined
    ? only
    : (near ??
        window.showWorkspaceFolderPick({
          placeHolder: 'Folder of the ESLint configuration',
        }));
}

async function pickLinter({
  eslint,
  oxlint,
  legacy,
}: Project): Promise<'eslint' | 'oxlint' | undefined> {
  if (oxlint === null) return 'eslint';
  if (eslint === null && legacy === null) return 'oxlint';
  const items = [
    { label: 'ESLint', linter: 'eslint' },
    { label: 'oxlint', linter: 'oxlint' },
  ] as const;
  return (await window.showQuickPick(items, { title: 'Which linter should run Poolguard?' }))
    ?.linter;
}

async function sayLegacy(name: string): Promise<void> {
  const command = `npx @eslint/migrate-config ${name}`;
  const chosen = await window.showInformationMessage(
    plainMessage(
      `This project has an ${name}, and Poolguard’s plugin needs the newer form, eslint.config.*. ESLint’s own tool converts it; run this command again afterwards.`,
    ),
    'Copy the command',
  );
  if (chosen !== undefined) await env.clipboard.writeText(command);
}

/** Whether our plugin is in the configuration now. */
async function apply(
  answer: SetupAnswer,
  config: Uri,
  document: TextDocument | null,
): Promise<boolean> {
  switch (answer.kind) {
    case 'already':
      void window.showInformationMessage(
        plainMessage(`${workspace.asRelativePath(config)} already runs Poolguard.`),
      );
      return true;
    case 'by hand':
      await window.showTextDocument(
        await workspace.openTextDocument({
          language: config.path.endsWith('.json') ? 'json' : 'javascript',
          content: answer.snippet,
        }),
      );
      void window.showInformationMessage(plainMessage(answer.sentence));
      return false;
    case 'create':
    case 'edit':
      return confirmAndWrite(answer, config, document);
  }
}

/** Shown first; undo takes it back. */
async function confirmAndWrite(
  answer: Extract<SetupAnswer, { kind: 'create' | 'edit' }>,
  config: Uri,
  document: TextDocument | null,
): Promise<boolean> {
  const before = document?.getText() ?? '';
  const edits =
    answer.kind === 'edit' ? answer.edits : [{ start: 0, end: before.length, text: answer.text }];
  if (!(await isChangeWanted({ file: config, before, after: applyEdits(before, edits) })))
    return false;
  // The file may have been edited while the change was looked at.
  if ((document?.getText() ?? '') !== before)
    return fail(
      `${workspace.asRelativePath(config)} has changed, so nothing was written. Run the command again.`,
    );
  const edit = new WorkspaceEdit();
  if (document === null)
    edit.createFile(config, { contents: new TextEncoder().encode(applyEdits(before, edits)) });
  else
    for (const { start, end, text } of edits)
      edit.replace(config, new Range(document.positionAt(start), document.positionAt(end)), text);
  if (!(await workspace.applyEdit(edit)))
    return fail(`${workspace.asRelativePath(config)} could not be written.`);
  const editor = await window.showTextDocument(config);
  await editor.document.save();
  return true;
}

function fail(sentence: string): false {
  void window.showWarningMessage(plainMessage(sentence));
  return false;
}

/** The command is typed and not run: what a workspace installs is its owner's to start. */
async function offerInstall(
  { has, folder, packageManager, files }: Project,
  linter: 'eslint' | 'oxlint',
): Promise<void> {
  const lacking = { plugin: !has.plugin, eslint: linter === 'eslint' && !has.eslint };
  if (!lacking.plugin && !lacking.eslint) return;
  const { command, sentence } = nextStep(lacking, packageManagerOf(packageManager, files), files);
  const chosen = await window.showInformationMessage(
    plainMessage(sentence),
    'Type it into a terminal',
    'Copy',
  );
  if (chosen === 'Copy') await env.clipboard.writeText(command);
  if (chosen !== 'Type it into a terminal') return;
  const terminal = window.createTerminal({ name: 'Poolguard set-up', cwd: folder });
  terminal.show();
  terminal.sendText(command, false);
}
