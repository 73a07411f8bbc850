import { Disposable, window, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { hostChanged } from '../../server/protocol.ts';
import { tell } from './talk.ts';
import { readHostFacts, onHostFactsChanged } from './host-facts.ts';
import { clientOptions, type CreateLanguageClient, type LanguageClient } from './language-client.ts';
import { createStepAside } from './step-aside.ts';

/** What the parts of the editor that show findings work with. */
export interface Findings {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  readonly client: LanguageClient;
}

/** Something that the editor shows or offers beside the underlined code. */
type Part = (findings: Findings) => Disposable;

/** A row each. */
const parts: readonly Part[] = [];

/** Starts the language server and shows what it finds. Disposing stops it and takes its diagnostics away. */
export function registerFindings(context: ExtensionContext, createClient: CreateLanguageClient): Disposable {
  const channel = window.createOutputChannel('Poolguard', { log: true });
  const stepAside = createStepAside();
  const client = createClient('poolguard', 'Poolguard', clientOptions(channel, readHostFacts, { provideDiagnostics: stepAside.provideDiagnostics }));
  const findings: Findings = { context, channel, client };
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
