import { env, window } from 'vscode';
import type { SizeResult } from '../../probe/result.ts';
import type { ViewAction } from '../../webview/messages.ts';
import { exportProbe } from './export-probe.ts';
import { poolerSettings, poolSnippet } from './snippets.ts';

/** What a page can ask of the answer of the last probe. */
export type ProbeAnswer = Extract<ViewAction, 'copy-snippet' | 'copy-pooler-settings' | 'export-probe'>;

export const probeAnswers: Readonly<Record<ProbeAnswer, (result: SizeResult) => unknown>> = {
  'copy-snippet': (result) => copy(poolSnippet(result), 'Pool options copied'),
  'copy-pooler-settings': (result) => copy(poolerSettings(result), 'PgBouncer settings copied'),
  'export-probe': (result) => exportProbe(result),
};

async function copy(text: string | undefined, said: string): Promise<void> {
  if (text === undefined) return;
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(`$(check) ${said}`, 4_000);
}
