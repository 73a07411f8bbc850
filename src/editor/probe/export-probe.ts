import { env, window, type QuickPickItem } from 'vscode';
import type { SizeResult } from '../../probe/result.ts';
import { formatProbeAsMarkdown } from '../../report/probe-table.ts';
import { saveText } from '../save-text.ts';

interface Format extends QuickPickItem {
  readonly ending: string;
  readonly print: (result: SizeResult) => string;
}

const formats: readonly Format[] = [
  { label: 'Markdown', description: 'a table for a pull request or an issue', ending: 'md', print: formatProbeAsMarkdown },
  { label: 'JSON', description: 'everything that was measured, in the shape of poolguard probe --json', ending: 'json', print: (result) => `${JSON.stringify(result, null, 2)}\n` },
];

/** Asks how to tell what a probe found, and where to; nothing is written when one of the questions is dismissed. */
export async function exportProbe(result: SizeResult): Promise<void> {
  const title = 'Export what the probe measured';
  const format = await window.showQuickPick(formats, { title, placeHolder: 'Format' });
  const place = format && (await window.showQuickPick([{ label: 'Save to a file…', isFile: true }, { label: 'Copy to the clipboard', isFile: false }], { title, placeHolder: 'Where to' }));
  if (format === undefined || place === undefined) return;
  const text = format.print(result);
  if (place.isFile) return saveText({ text, name: `probe-${result.startedAt.slice(0, 19).replace(/[^\d]+/g, '-')}.${format.ending}`, ending: format.ending, format: format.label, what: 'The figures of the probe' });
  await env.clipboard.writeText(text);
  window.setStatusBarMessage('$(check) Figures of the probe copied', 4_000);
}
