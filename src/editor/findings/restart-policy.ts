const firstWaitMs = 1000;
/** After so many deaths in a row another start would be no help. */
const mostDeaths = 6;
/** A server that lived so long was well: its death is the first of a new row. */
const wellAfterMs = 300_000;

/** What to do about a server that died. */
export type AfterDeath =
  | {
      readonly kind: 'restart';
      readonly waitMs: number;
      /** Whether the user is to be told; after that the log is enough. */ readonly isNews: boolean;
    }
  | { readonly kind: 'stop'; readonly deaths: number };

export interface RestartPolicy {
  died(): AfterDeath;
  /** Somebody starts it by hand: what was before counts no more. */
  forget(): void;
}

/** Starts a server that died again, each time after twice the wait, until it is hopeless. `now` is in milliseconds. */
export function createRestartPolicy(now: () => number): RestartPolicy {
  let deaths = 0;
  let lastDeath = -Infinity;
  let isTold = false;
  return {
    died() {
      deaths = now() - lastDeath > wellAfterMs ? 1 : deaths + 1;
      lastDeath = now();
      if (deaths >= mostDeaths) return { kind: 'stop', deaths };
      const isNews = !isTold;
      isTold = true;
      return { kind: 'restart', waitMs: firstWaitMs * 2 ** (deaths - 1), isNews };
    },
    forget() {
      deaths = 0;
      isTold = false;
    },
  };
}
