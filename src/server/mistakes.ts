import { toPlainText } from '../activity/plain-text.ts';
import type { Mistake } from '../lint/mistake.ts';

/** Writes the mistakes of Poolguard itself to the log, one for each file, and counts the files. */
export interface Mistakes {
  note(uri: string, mistake: Mistake | undefined): void;
}

export function createMistakes(log: (text: string) => void): Mistakes {
  const told = new Set<string>();
  return {
    note(uri, mistake) {
      if (mistake === undefined || told.has(uri)) return;
      told.add(uri);
      const stack = mistake.stack.split('\n').map(toPlainText).join('\n');
      log(
        `Poolguard failed unexpectedly at ${uri}, file ${told.size} for an unknown reason. Please report it.\n${stack}`,
      );
    },
  };
}
