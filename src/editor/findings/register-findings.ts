import { Disposable, window, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { hostChanged } from '../../server/protocol.ts';
import { registerLenses } from '../lenses/register-lenses.ts';
import type { LiveFigures } from '../live-figures.ts';
import { tell } from './talk.ts';
import { fixAllCommand } from './fix-all-command.ts';
import { heldBar } from './held-bar.ts';
import { readHostFacts, onHostFactsChanged } from './host-facts.ts';
import { createLanguageClient } from './language-client.ts';
import { registerShowPath } from './show-path.ts';
import { createStepAside } from './step-aside.ts';
import { registerFirstUse } from '../first-use/register-first-use.ts';
import { registerFindingsTool } from '../tools/findings-tool.ts';
import { registerStatusItem } from './status-item.ts';

/** What the parts of the editor that show findings work with. */
export interface Findings {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  readonly client: LanguageClient;
  /** Of the connected server. */
  readonly figures: LiveFigures;
}

/** Something that the editor shows or offers beside the underlined code. */
type Part = (findings: Findings) => Disposable;

/** A row each. */
const parts: readonly Part[] = [registerShowPath, registerLenses, registerStatusItem, registerFirstUse, registerFindingsTool, fixAllCommand, heldBar];

/** Starts the language server and shows what it finds. Disposing stops it and takes its diagnostics away. */
export function registerFindings(context: ExtensionContext, figures: LiveFigures): Disposable {
  const channel = window.createOutputChannel('Poolguard', { log: true });
  const stepAside = createStepAside();
  const client = createLanguageClient(context, channel, readHostFacts, { provideDiagnostics: stepAside.provideDiagnostics });
  const findings: Findings = { context, channel, client, figures };
  void start(client, channel);
  return Disposable.from(
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
