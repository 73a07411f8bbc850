import { Disposable, commands as editorCommands, window, workspace, type ExtensionContext } from 'vscode';
import { systemClock } from '../../activity/clock.ts';
import type { ActivitySource } from '../../activity/poller.ts';
import { contextKeys, views } from '../../contributions.ts';
import type { Secret } from '../../database/secret.ts';
import { describeTarget, type ConnectionTarget } from '../../database/target.ts';
import { runProbe } from '../../probe/run-probe.ts';
import { toInterval, type IntervalSeconds, type PoolModel } from '../../webview/messages.ts';
import { isAbout, readSetting } from '../read-settings.ts';
import type { LiveFigures, ServerFigures } from '../live-figures.ts';
import { registerPoolTools } from '../tools/pool-tools.ts';
import { ConnectionsTree } from './connections-tree.ts';
import { LastProbes } from './last-probes.ts';
import { LiveActivity } from './live-activity.ts';
import { PoolCommands } from './pool-commands.ts';
import { PoolPages } from './pool-pages.ts';
import { createPoolStatusBar } from './pool-status-bar.ts';
import { ProbeControl } from './probe-control.ts';
import { SavedConnections } from './saved-connections.ts';

/** Sidebar, panel, connections, status bar and probe. Disposing closes the connection and ends a running probe. */
export function registerPool(context: ExtensionContext, figures: LiveFigures): Disposable {
  const saved = new SavedConnections(context.globalState, context.secrets);
  const lastProbes = new LastProbes(context.workspaceState);
  const statusBar = createPoolStatusBar();
  const live = new LiveActivity({ createSource, clock: systemClock, intervalSeconds: readInterval(), onChange: () => show() });
  const probe = new ProbeControl({ run: runProbe, processPath: context.asAbsolutePath('dist/probe.cjs'), onResult: (target, result) => void lastProbes.keep(target, result).then(() => show()), onChange: () => show() });
  const pages = new PoolPages({
    extensionUri: context.extensionUri,
    model: () => model(),
    onRequest: (request) => commands.answer(request),
    onWatched: (isWatched) => live.setWatched(isWatched),
  });
  const tree = new ConnectionsTree(saved, () => live.open?.target);
  const commands = new PoolCommands({ saved, lastProbes, live, probe, pages, tree });
  const model = (): PoolModel => ({
    connection: live.connectionState() ?? (workspace.isTrusted ? { kind: 'none', saved: saved.list().length } : { kind: 'untrusted' }),
    activity: live.activity,
    probe: probe.state,
    intervalSeconds: live.intervalSeconds,
  });
  const show = createShow(model, (now) => {
    statusBar.show(now);
    setContextKeys(now);
    figures.set(toFigures(now, live, lastProbes));
  }, pages);
  show();
  return Disposable.from(
    statusBar,
    pages,
    window.registerWebviewViewProvider(views.pool, pages),
    window.registerTreeDataProvider(views.connections, tree),
    commands.register(),
    registerPoolTools({ live, probe }),
    workspace.onDidGrantWorkspaceTrust(() => show()),
    workspace.onDidChangeConfiguration((change) => isAbout(change, 'activity.intervalSeconds') && live.setInterval(readInterval())),
    { dispose: () => void Promise.all([probe.cancel(), live.disconnect()]) },
  );
}

/** The driver is loaded with the first connection. */
function createSource(target: ConnectionTarget, secret: Secret | null): ActivitySource {
  return {
    async open(signal) {
      const { createActivitySource } = await import('../../database/read-activity.ts');
      return createActivitySource(target, secret).open(signal);
    },
  };
}

/** Sends each part of the model when it is another than the one sent last. */
function createShow(model: () => PoolModel, always: (now: PoolModel) => void, pages: PoolPages): () => void {
  let last: PoolModel | undefined;
  return () => {
    const now = model();
    always(now);
    const { connection, activity, probe, intervalSeconds } = now;
    pages.send({ kind: 'connection', connection, intervalSeconds });
    if (activity !== last?.activity) pages.send({ kind: 'activity', activity });
    if (probe !== last?.probe) pages.send({ kind: 'probe', probe });
    last = now;
  };
}

/** None while nothing is connected. */
function toFigures({ connection, activity: { report } }: PoolModel, { open, seenAt }: LiveActivity, lastProbes: LastProbes): ServerFigures | undefined {
  return open && { label: describeTarget(open.target), usable: report?.headroom.usable, seenAt, isLost: connection.kind === 'lost', lastProbe: lastProbes.of(open.target) };
}

function setContextKeys({ connection, probe }: PoolModel): void {
  const set = (key: string, value: boolean): void => void editorCommands.executeCommand('setContext', key, value);
  set(contextKeys.connected, connection.kind !== 'none' && connection.kind !== 'untrusted');
  set(contextKeys.paused, connection.kind === 'paused');
  set(contextKeys.probing, probe.kind === 'running');
}

function readInterval(): IntervalSeconds {
  return toInterval(readSetting('activity.intervalSeconds'));
}
