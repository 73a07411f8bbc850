import type { UserStage } from '../experiment.ts';

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
