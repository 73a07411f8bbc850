import { Disposable, window, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { hostChanged } from '../../server/protocol.ts';
import { registerLenses } from '../lenses/register-lenses.ts';
import type { LiveFigures } from '../live-figures.ts';
import { tell } from './talk.ts';
import { fixAllCommand } from './fix-all-command.ts';
import { heldBar } from './held-bar.ts';
import { readHostFacts, onHostFactsChanged } from './host-facts.ts';
import { clientOptions, type CreateLanguageClient, type LanguageClient } from './language-client.ts';
import { registerShowPath } from './show-path.ts';
import { checkWorkspace } from './check-workspace.ts';
import { whenDriverInSight } from './driver-in-sight.ts';
import { createStepAside } from './step-aside.ts';
import { registerFirstUse } from '../first-use/register-first-use.ts';
import { registerFindingsTool } from '../tools/findings-tool.ts';
import { registerStatusItem } from './status-item.ts';

/** What the parts of the editor that show findings work with. */
export interface Findings {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  /** Not running before a pool driver has come in sight. */
  readonly client: LanguageClient;
  /** Of the connected server. */
  readonly figures: LiveFigures;
  /** Starts the server unless it was started before, for whoever needs it whatever is in sight. Resolves when it answers, or cannot be started. */
  readonly start: () => Promise<void>;
}

/** Something that the editor shows or offers beside the underlined code. */
type Part = (findings: Findings) => Disposable;

/** A row each. */
const parts: readonly Part[] = [registerShowPath, registerLenses, registerStatusItem, registerFirstUse, registerFindingsTool, fixAllCommand, heldBar, checkWorkspace];

/** Starts the language server as soon as there is something for it to do, and shows what it finds. Disposing stops it and takes its diagnostics away. */
export function registerFindings(context: ExtensionContext, createClient: CreateLanguageClient, figures: LiveFigures): Disposable {
  const channel = window.createOutputChannel('Poolguard', { log: true });
  const stepAside = createStepAside();
  const client = createClient('poolguard', 'Poolguard', clientOptions(channel, readHostFacts, { provideDiagnostics: stepAside.provideDiagnostics }));
  let started: Promise<void> | undefined;
  const findings: Findings = { context, channel, client, figures, start: () => (started ??= start(client, channel)) };
  return Disposable.from(
    whenDriverInSight(() => void findings.start()),
    stepAside.watch(client),
    onHostFactsChanged((facts) => void tell(client, hostChanged, facts)),
    ...parts.map((part) => part(findings)),
    { dispose: () => void client.dispose() },
    channel,
  );
}

async function start(client: LanguageClient, channel: LogOutputChannel): Promise<void> {
  try {
    await client.start();
  } catch (failure) {
    channel.error(failure instanceof Error ? failure : String(failure));
    void window.showErrorMessage('Poolguard could not start its language server, so files are not checked. The Poolguard output channel says why.');
  }
}
