import { env, window, type QuickPickItem } from 'vscode';
import type { SizeResult } from '../../probe/result.ts';
import type { FormatName } from '../../report/formats.ts';
import { saveText } from '../save-text.ts';

interface FormatItem extends QuickPickItem {
  readonly name: Exclude<FormatName, 'terminal'>;
}

const items: readonly FormatItem[] = [
  { label: 'Markdown', description: 'for a pull request or an issue', name: 'markdown' },
  { label: 'HTML', description: 'a self-contained page with charts', name: 'html' },
  {
    label: 'JSON',
    description: 'all measurements, in the format of poolguard probe --json',
    name: 'json',
  },
  { label: 'CSV', description: 'for a spreadsheet', name: 'csv' },
];

/** Asks how to tell what a probe found, and where to; nothing is written when one of the questions is dismissed. */
export async function exportProbe(result: SizeResult): Promise<void> {
  const title = 'Export the result of the probe';
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: 'Format',
    ignoreFocusOut: true,
  });
  const place =
    chosen &&
    (await window.showQuickPick(
      [
        { label: 'Save to a file…', isFile: true },
        { label: 'Copy to the clipboard', isFile: false },
      ],
      { title, placeHolder: 'Where to', ignoreFocusOut: true },
    ));
  if (chosen === undefined || place === undefined) return;
  // What writes reports is loaded by the first one.
  const { formats } = await import('../../report/formats.ts');
  const {
    write,
    extensions: [extension],
  } = formats[chosen.name];
  const text = write(result);
  if (place.isFile)
    return saveText({
      text,
      name: `probe-${result.startedAt.slice(0, 19).replace(/[^\d]+/g, '-')}${extension}`,
      ending: extension.slice(1),
      format: chosen.label,
      what: 'The result of the probe',
    });
  await env.clipboard.writeText(text);
  window.setStatusBarMessage('$(check) Result of the probe copied', 4_000);
}
