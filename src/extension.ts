import { window, type ExtensionContext } from 'vscode';
import { registerFindings } from './editor/findings/register-findings.ts';
import { CodeIndex } from './editor/code-index.ts';
import { LiveFigures } from './editor/live-figures.ts';
import { registerPool } from './editor/register-pool.ts';
import { evidencePart } from './editor/running/evidence-part.ts';
import { RunningHub } from './editor/running/running-hub.ts';

export function activate(context: ExtensionContext): void {
  const channel = window.createOutputChannel('Poolguard', { log: true });
  const figures = new LiveFigures();
  const code = new CodeIndex();
  const running = new RunningHub();
  const loadCreate = async () =>
    (await import('./editor/findings/server-process.ts')).serverProcess(context);
  context.subscriptions.push(
    figures,
    code,
    running,
    registerPool({ context, channel, figures, code, hub: running }),
    registerFindings({ context, channel, figures, code }, loadCreate, [evidencePart(running)]),
    channel,
  );
}
