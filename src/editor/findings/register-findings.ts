import { Disposable, commands, Location, Range, Uri, window } from 'vscode';
import type { Location as PlainLocation } from 'vscode-languageclient';
import { registerFirstUse } from '../first-use/register-first-use.ts';
import { registerLenses } from '../lenses/register-lenses.ts';
import { registerLinking } from '../linking/register-linking.ts';
import { readSetting } from '../read-settings.ts';
import { registerFindingsTool } from '../tools/findings-tool.ts';
import { findingCommands } from '../../contributions.ts';
import { checkWorkspace } from './check-workspace.ts';
import { whenDriverInSight } from './driver-in-sight.ts';
import { heldBar } from './held-bar.ts';
import type { CreateLanguageClient } from './language-client.ts';
import { LanguageServer } from './language-server.ts';
import { OfferedPath } from './offered-path.ts';
import type { Findings, Part } from './part.ts';
import { registerStatusItem } from './status-item.ts';

/** A row each. None loads the client library: that is done with the server's first start. */
const parts: readonly Part[] = [
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
  const path = new OfferedPath();
  const server = new LanguageServer(async (events) => {
    const [{ createClient }, create] = await Promise.all([
      import('./create-client.ts'),
      loadCreate(),
    ]);
    return createClient(create, channel, { ...events, readSetting, path }, context.subscriptions);
  }, channel);
  const findings: Findings = { ...given, server };
  return Disposable.from(
    whenDriverInSight(() => void server.start()),
    registerShowPath(path),
    ...[...parts, ...more].map((part) => part(findings)),
    server,
  );
}

/** As `editor.codeActionsOnSave` asks for it; the server's kind of the same name. */
const fixAllKind = 'source.fixAll.poolguard';

/** Fixes everything in the active editor that needs no choice; VS Code itself reports when there is nothing to fix. */
function fixAllCommand(): Disposable {
  return commands.registerCommand(findingCommands.fixAll, () =>
    commands.executeCommand('editor.action.codeAction', { kind: fixAllKind, apply: 'first' }),
  );
}

/** For a server that was given up on, or that misbehaves. */
function restartCommand({ server }: Findings): Disposable {
  return commands.registerCommand(findingCommands.restartServer, () => server.restart());
}

/** Opens the steps of a finding beside the code, one after the other: what ESLint reports carries no related places. */
function registerShowPath(path: OfferedPath): Disposable {
  return commands.registerCommand(
    findingCommands.showPath,
    async (places: readonly PlainLocation[] = path.of(window.activeTextEditor?.document)) => {
      const [first, ...rest] = places.map(toLocation);
      if (first !== undefined)
        await commands.executeCommand(
          'editor.action.peekLocations',
          first.uri,
          first.range.start,
          [first, ...rest],
          'peek',
        );
    },
  );
}

function toLocation({ uri, range: { start, end } }: PlainLocation): Location {
  return new Location(
    Uri.parse(uri),
    new Range(start.line, start.character, end.line, end.character),
  );
}
