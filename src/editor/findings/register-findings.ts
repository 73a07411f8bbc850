import { Disposable } from 'vscode';
import { registerFirstUse } from '../first-use/register-first-use.ts';
import { registerLenses } from '../lenses/register-lenses.ts';
import { registerLinking } from '../linking/register-linking.ts';
import { readSetting } from '../read-settings.ts';
import { registerFindingsTool } from '../tools/findings-tool.ts';
import { checkWorkspace } from './check-workspace.ts';
import { whenDriverInSight } from './driver-in-sight.ts';
import { fixAllCommand } from './fix-all-command.ts';
import { heldBar } from './held-bar.ts';
import type { CreateLanguageClient } from './language-client.ts';
import { LanguageServer } from './language-server.ts';
import { restartCommand } from './restart-command.ts';
import type { Findings, Part } from './part.ts';
import { registerShowPath } from './show-path.ts';
import { registerStatusItem } from './status-item.ts';

/** A row each. None loads the client library: that is done with the server's first start. */
const parts: readonly Part[] = [
  registerShowPath,
  registerLenses,
  registerLinking,
  registerStatusItem,
  registerFirstUse,
  registerFindingsTool,
  fixAllCommand,
  restartCommand,
  heldBar,
  checkWorkspace,
];

/**
 * Starts the language server as soon as there is something for it to do, and shows what it finds. Disposing stops it and takes its diagnostics away.
 * @param more parts that are not there in a browser
 */
export function registerFindings(
  given: Omit<Findings, 'server'>,
  loadCreate: () => Promise<CreateLanguageClient>,
  more: readonly Part[] = [],
): Disposable {
  const { context, channel } = given;
  const server = new LanguageServer(async (events) => {
    const [{ createClient }, create] = await Promise.all([
      import('./create-client.ts'),
      loadCreate(),
    ]);
    return createClient(create, channel, { ...events, readSetting }, context.subscriptions);
  }, channel);
  const findings: Findings = { ...given, server };
  return Disposable.from(
    whenDriverInSight(() => void server.start()),
    ...[...parts, ...more].map((part) => part(findings)),
    server,
  );
}
