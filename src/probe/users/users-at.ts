import type { UserStage } from '../experiment.ts';

/** Users at a moment, in milliseconds since the start: from none on, each stage leads evenly to its number. After the last stage its number stays. */
export function usersAt(stages: readonly UserStage[], ms: number): number {
  let [before, beganMs] = [0, 0];
  for (const { seconds, users } of stages) {
    const stageMs = seconds * 1000;
    if (ms < beganMs + stageMs)
      return Math.round(before + ((users - before) * (ms - beganMs)) / stageMs);
    before = users;
    beganMs += stageMs;
  }
  return before;
}

export function totalSeconds(stages: readonly UserStage[]): number {
  return stages.reduce((total, { seconds }) => total + seconds, 0);
}

export function mostUsers(stages: readonly UserStage[]): number {
  return Math.max(0, ...stages.map(({ users }) => users));
}

/** The same rise and fall in less or more time. */
export function stretchStages(stages: readonly UserStage[], seconds: number): readonly UserStage[] {
  const factor = seconds / totalSeconds(stages);
  return stages.map((stage) => ({ ...stage, seconds: stage.seconds * factor }));
}

/** Clients that users who pause between requests keep in use on average, if there were always a free one: users × hold / (hold + think). */
export function clientsInUse({
  users,
  thinkMs,
  holdMs,
}: Readonly<Record<'users' | 'thinkMs' | 'holdMs', number>>): number {
  return (users * holdMs) / (holdMs + thinkMs);
}

/** The rise that a field report drove with k6, whose table the sweep repeats: 95 s for each pool size. */
export const fieldReportStages: readonly UserStage[] = [
  { seconds: 10, users: 10 },
  { seconds: 20, users: 30 },
  { seconds: 30, users: 60 },
  { seconds: 10, users: 100 },
  { seconds: 15, users: 150 },
  { seconds: 10, users: 0 },
];

export const usersDefaults = { sizes: [10, 15, 20, 40], thinkMs: 100 } as const;
