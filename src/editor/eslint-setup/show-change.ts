import { TabInputTextDiff, Uri, commands, window, workspace } from 'vscode';

const scheme = 'poolguard-setup';

export interface Change {
  readonly file: Uri;
  /** Empty for a file that is not there yet. */
  readonly before: string;
  readonly after: string;
}

/** Shows a change side by side and asks whether it is to be written; nothing is written here. */
export async function isChangeWanted({ file, before, after }: Change): Promise<boolean> {
  const name = workspace.asRelativePath(file);
  const sides = ['before', 'after'].map((side) =>
    Uri.from({ scheme, path: file.path, query: side }),
  ) as [Uri, Uri];
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => (query === 'before' ? before : after),
  });
  try {
    await commands.executeCommand('vscode.diff', ...sides, `Run Poolguard: ${name}`, {
      preview: true,
    });
    const write = { label: `Apply to ${name}`, detail: 'Can be undone.' };
    return (
      (await window.showQuickPick([write, { label: 'Cancel' }], {
        title: 'Run Poolguard in this project',
        ignoreFocusOut: true,
      })) === write
    );
  } finally {
    await closeDiff(sides[1]);
    provider.dispose();
  }
}

async function closeDiff(shown: Uri): Promise<void> {
  await window.tabGroups.close(
    window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.filter(
        ({ input }) =>
          input instanceof TabInputTextDiff && input.modified.toString() === shown.toString(),
      ),
    ),
  );
}
