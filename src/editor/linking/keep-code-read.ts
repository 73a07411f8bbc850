/** What there is to know of the code, kept up to date while somebody wants it. */
export interface CodeReading {
  /** Whether anybody wants it: a database is connected. What was read is forgotten when nobody does. */
  setWanted(isWanted: boolean): void;
  /** The code may have changed. */
  again(): void;
  dispose(): void;
}

export interface CodeReadingOptions<Code> {
  /** Undefined when nobody can answer now. */
  readonly read: (isFirst: boolean) => Promise<Code | undefined>;
  /** Undefined when nobody wants it any more. */
  readonly onRead: (code: Code | undefined) => void;
  readonly restMs: number;
}

/** One question at a time, and none before changes have rested. */
export function keepCodeRead<Code>({
  read,
  onRead,
  restMs,
}: CodeReadingOptions<Code>): CodeReading {
  let isWanted = false;
  let isReading = false;
  let isStale = false;
  let hasCode = false;
  let timer: NodeJS.Timeout | undefined;
  const readOnce = async (): Promise<void> => {
    timer = undefined;
    [isReading, isStale] = [true, false];
    // A question that failed is one that nobody could answer.
    const code = await read(!hasCode).catch(() => undefined);
    isReading = false;
    if (!isWanted) return;
    if (code !== undefined) {
      hasCode = true;
      onRead(code);
    }
    if (isStale) soon(restMs);
  };
  const soon = (ms: number): void => {
    clearTimeout(timer);
    timer = isWanted && !isReading ? setTimeout(() => void readOnce(), ms) : undefined;
    isStale = isReading;
  };
  return {
    setWanted(now) {
      if (now === isWanted) return;
      isWanted = now;
      soon(0);
      if (now || !hasCode) return;
      hasCode = false;
      onRead(undefined);
    },
    again: () => {
      soon(restMs);
    },
    dispose: () => {
      isWanted = false;
      clearTimeout(timer);
    },
  };
}
