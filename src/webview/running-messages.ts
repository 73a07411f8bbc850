import type { RunningState, ShownPlace } from './running-state.ts';

export const nothingRunning: RunningState = {
  isTrusted: true,
  isListening: false,
  watchesTerminals: false,
  at: 0,
  apps: [],
  more: 0,
};

/** What a screen reader says of a change: who asks for attention now and did not before. Figures alone are no change. */
export function announceRunning(before: RunningState, now: RunningState): string {
  const known = new Set(attentionOf(before));
  return attentionOf(now)
    .filter((sentence) => !known.has(sentence))
    .join(' ');
}

function attentionOf({ apps }: RunningState): readonly string[] {
  return apps.flatMap(({ name, hasEnded, pools }) =>
    pools.flatMap((pool) => [
      ...(hasEnded || pool.verdict === null || pool.verdict.isHealthy
        ? []
        : [`Pool ${pool.name} of ${name} needs attention.`]),
      ...pool.held.map(({ place }) =>
        hasEnded
          ? `A client of pool ${pool.name} was never released${at(place)}.`
          : `A client of pool ${pool.name} is checked out for long${at(place)}.`,
      ),
      ...pool.mistakes.map(({ words, steps }) => `${words}${at(steps[0]?.place ?? null)}.`),
    ]),
  );
}

function at(place: ShownPlace | null): string {
  return place === null ? '' : `, ${place.label}`;
}
