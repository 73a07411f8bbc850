import { intervals, type IntervalSeconds } from '../activity/snapshot.ts';

export const sessionActions = ['copy', 'copy-row', 'show-code', 'cancel', 'terminate'] as const;
/** What a view may ask for with a session. */
export type SessionAction = (typeof sessionActions)[number];

/** The interval that is chosen, which may be anything. */
export function toInterval(value: unknown): IntervalSeconds {
  return intervals.find((each) => each === value) ?? 2;
}
