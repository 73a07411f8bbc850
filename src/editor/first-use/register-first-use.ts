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

/** A leak as people write it: the client is lost when the first query throws, and comes back otherwise. */
const sample = `import { Pool } from 'pg';

const pool = new Pool({ max: 10, connectionTimeoutMillis: 2_000 });
pool.on('error', (error) => console.error('idle client', error));

export async function placeOrder(customer: number) {
  const client = await pool.connect();
  await client.query('INSERT INTO orders (customer) VALUES ($1)', [customer]);
  client.release();
}

// If the INSERT throws, the client is never released: after ten such requests the service waits indefinitely.
// Put the cursor on the underlined checkout and press Ctrl+. (Cmd+. on a Mac) for the fix.
`;
