import { Disposable, MarkdownString, workspace, type CancellationToken } from 'vscode';
import { toPlainText } from '../../activity/plain-text.ts';
import { tools } from '../../contributions.ts';
import { describeTarget } from '../../database/target.ts';
import { sizeDefaults } from '../../probe/request.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import { isProbing, type ProbeControl } from '../probe/probe-control.ts';
import { probeText } from './probe-text.ts';
import { registerTool } from './register-tool.ts';
import { snapshotText } from './snapshot-text.ts';
import { readInput } from './tool-input.ts';

export interface PoolToolParts {
  readonly live: LiveActivity;
  readonly probe: ProbeControl;
}

const noConnection =
  'No connection is open. Ask the user to run the command "Poolguard: Connect to a database…"; tools cannot open connections.';
const restricted = 'Poolguard does not connect to databases in Restricted Mode.';

/** `get_session_snapshot` and `run_pool_probe`: both on the connection that the user has opened, and neither takes SQL. */
export function registerPoolTools(parts: PoolToolParts): Disposable {
  return Disposable.from(registerSnapshotTool(parts), registerProbeTool(parts));
}

function registerSnapshotTool({ live }: PoolToolParts): Disposable {
  return registerTool(tools.snapshot, {
    run(input) {
      const refusal = refuse(input, live);
      if (refusal !== undefined) return refusal;
      const {
        open,
        activity: { report },
      } = live;
      if (open === undefined) return noConnection;
      if (report === null)
        return 'The connection is open, but has no samples yet. Poolguard reads the server only while its sidebar is visible.';
      return snapshotText(
        describeTarget(open.target),
        report,
        live.connectionState()?.kind ?? 'closed',
      );
    },
  });
}

function registerProbeTool({ live, probe }: PoolToolParts): Disposable {
  const confirmed: { database?: string } = {};
  const here = (): string | undefined =>
    live.open === undefined ? undefined : describeTarget(live.open.target);
  return registerTool(tools.probe, {
    prepare() {
      const database = here();
      // The answer counts for what was named, not for what is connected by then.
      if (database === undefined) delete confirmed.database;
      else confirmed.database = database;
      return {
        invocationMessage: 'Probing the pool size',
        confirmationMessages: { title: 'Probe the pool size?', message: question(database) },
      };
    },
    async run(input, token) {
      const refusal = refuse(input, live);
      if (refusal !== undefined) return refusal;
      const { open } = live;
      if (open === undefined || here() !== confirmed.database)
        return 'The connected database is not the one that the user confirmed. Nothing was run; ask again.';
      delete confirmed.database;
      if (isProbing(probe.state)) return probeText(probe.state);
      await probeUntil(token, probe, () =>
        probe.start({ ...sizeDefaults, ...open }, { isAgreed: true }),
      );
      return probeText(probe.state);
    },
  });
}

async function probeUntil(
  token: CancellationToken,
  probe: ProbeControl,
  start: () => Promise<void>,
): Promise<void> {
  if (token.isCancellationRequested) return;
  const listening = token.onCancellationRequested(() => void probe.cancel());
  try {
    await start();
  } finally {
    listening.dispose();
  }
}

function refuse(input: unknown, live: LiveActivity): string | undefined {
  const read = readInput(input, []);
  if (read.kind === 'problem') return read.sentence;
  if (!workspace.isTrusted) return restricted;
  return live.open === undefined ? noConnection : undefined;
}

/** Names come from a connection string, so that they are shown as text. */
function question(database: string | undefined): MarkdownString {
  if (database === undefined) return new MarkdownString(noConnection);
  return new MarkdownString('Poolguard measures on ')
    .appendText(toPlainText(database))
    .appendMarkdown(
      `: up to ${sizeDefaults.max} connections at a time for about ${sizeDefaults.seconds} seconds (up to ${sizeDefaults.atMostSeconds} on a busy machine), each running one read-only statement that uses the CPU of the server. It can be cancelled.`,
    );
}
