import { vi } from 'vitest';
import { patience } from './patience.ts';

/** Looks again and again until there is something to see, through reloads as well. Unlike `expect.poll` it may be called before the tests. */
export function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  return vi.waitFor(
    async () => {
      const seen = await look();
      if (seen === undefined || seen === false)
        throw new Error('What was waited for did not come.');
      return seen;
    },
    { timeout: patience, interval: 50 },
  );
}
