import {
  commands,
  Disposable,
  languages,
  Selection,
  window,
  workspace,
  type TextDocument,
} from 'vscode';
import { contextKeys, firstUseCommands, walkthrough } from '../../contributions.ts';
import { section } from '../../server/section.ts';
import type { Findings } from '../findings/part.ts';
import { readSetting } from '../read-settings.ts';
import { sample } from './sample.ts';

/** The commands that somebody meets first: walkthrough, sample, set-up. None of them runs unasked. */
export function registerFirstUse({ server, channel }: Findings): Disposable {
  const open: { document?: TextDocument } = {};
  const openSample = async (): Promise<TextDocument> => {
    if (open.document === undefined || open.document.isClosed)
      open.document = await workspace.openTextDocument({ language: 'typescript', content: sample });
    await window.showTextDocument(open.document);
    return open.document;
  };
  return Disposable.from(
    commands.registerCommand(firstUseCommands.openWalkthrough, () =>
      commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false),
    ),
    commands.registerCommand(firstUseCommands.openSample, async () => void (await openSample())),
    commands.registerCommand(firstUseCommands.fixSample, async () => fixSample(await openSample())),
    commands.registerCommand(firstUseCommands.setUpEslint, async () =>
      (await import('../eslint-setup/set-up-linters.ts')).setUpLinters(server, readSetting),
    ),
    commands.registerCommand(firstUseCommands.showLog, () => {
      channel.show();
    }),
    watchSample(open),
  );
}

/** Opens the quick fixes of what is found first. */
async function fixSample(document: TextDocument): Promise<void> {
  const found = languages.getDiagnostics(document.uri).find(({ source }) => source === section);
  const editor = await window.showTextDocument(document);
  if (found !== undefined) editor.selection = new Selection(found.range.start, found.range.start);
  await commands.executeCommand('editor.action.quickFix');
}

/** A step of the walkthrough is done when what was found in the sample is gone. */
function watchSample(open: { readonly document?: TextDocument }): Disposable {
  let hadFindings = false;
  return languages.onDidChangeDiagnostics(({ uris }) => {
    const { document } = open;
    if (document === undefined || !uris.some((uri) => uri.toString() === document.uri.toString()))
      return;
    const hasFindings = languages
      .getDiagnostics(document.uri)
      .some(({ source }) => source === section);
    if (hadFindings && !hasFindings && !document.isClosed)
      void commands.executeCommand('setContext', contextKeys.sampleFixed, true);
    hadFindings ||= hasFindings;
  });
}
