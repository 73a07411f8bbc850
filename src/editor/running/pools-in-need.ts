import type { RunningApps } from '../../running/running-app.ts';

/** Pools of applications that run and want to be looked at. */
export function poolsInNeed(apps: RunningApps): number {
  return apps
    .filter(({ end }) => end === null)
    .flatMap(({ pools }) => pools)
    .filter(({ alerts, held, mistakes }) => alerts.length + held.length + mistakes.length > 0)
    .length;
}
