import { env, window } from 'vscode';
import type { SizeResult } from '../../probe/result.ts';
import { toSnippets, type ConfigurationSnippet } from '../../probe/limits/snippet.ts';
import type { ViewAction } from '../../webview/from-view.ts';
import { exportProbe } from './export-probe.ts';

/** What a page can ask of the answer of the last probe. */
export type ProbeAnswer = Extract<
  ViewAction,
  'copy-snippet' | 'copy-pooler-settings' | 'export-probe'
>;

export const probeAnswers: Readonly<Record<ProbeAnswer, (result: SizeResult) => unknown>> = {
  'copy-snippet': (result) => copy(result, 'js', 'Pool options copied'),
  'copy-pooler-settings': (result) => copy(result, 'ini', 'PgBouncer settings copied'),
  'export-probe': (result) => exportProbe(result),
};

async function copy(
  result: SizeResult,
  language: ConfigurationSnippet['language'],
  said: string,
): Promise<void> {
  const snippet = toSnippets(result).find((each) => each.language === language);
  if (snippet === undefined) return;
  await env.clipboard.writeText(`${snippet.text}\n`);
  window.setStatusBarMessage(`$(check) ${said}`, 4_000);
}
