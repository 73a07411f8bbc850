import { activityCommands } from '../../contributions.ts';
import type { CommandTable } from '../command-table.ts';
import type { PoolPages } from '../pages/pool-pages.ts';
import { exportSessionsCommand } from './export-sessions-command.ts';
import type { LiveActivity } from './live-activity.ts';

/** What the palette can ask of the look at the server. */
export function activityTable(
  live: LiveActivity,
  pages: PoolPages,
): CommandTable<typeof activityCommands> {
  return {
    [activityCommands.openSessions]: () => pages.reveal('sessions'),
    [activityCommands.exportSessions]: () => exportSessionsCommand(live),
    [activityCommands.pause]: () => live.setPaused(true),
    [activityCommands.resume]: () => live.setPaused(false),
  };
}
