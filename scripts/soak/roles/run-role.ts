import type { Role, RoleMessage, RoleStart } from './role.ts';
import { editorHost } from './editor-host.ts';
import { lintLoop } from './lint-loop.ts';

/** By the name that is shown. */
export const roles = {
  'panel and listener': editorHost,
  'linting loop': lintLoop,
} as const satisfies Readonly<Record<string, Role>>;
export type RoleName = keyof typeof roles;

/** Plays a role in this process, whose parent sends what it needs, and ends with the channel to it. */
export function runRole(name: RoleName): void {
  const tell = (message: RoleMessage) => {
    // A parent that has gone is heard of by the channel's end, not by a message that fails.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  const fail = (problem: unknown) =>
    tell({
      kind: 'failed',
      sentence: problem instanceof Error ? problem.message : String(problem),
    });
  process.once('message', (start: RoleStart) => {
    roles[name](start, tell).then(
      (stop) => process.once('disconnect', () => void stop().finally(() => process.exit())),
      fail,
    );
  });
}
