/** Where progress goes: lines for everybody, a moving line for a person at a terminal. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY: boolean;
  readonly colors: Readonly<Record<'green' | 'red' | 'cyan' | 'dim', (text: string) => string>>;
}

export interface Steps {
  /** Runs one step, with its name before and its time after. `doing` shows what the step is at: at once on a terminal, every five seconds in a log. */
  readonly run: <T>(
    name: string,
    work: (doing: (text: string) => void) => Promise<T>,
  ) => Promise<T>;
  /** A line of result below the step that just ended. */
  readonly say: (text: string) => void;
}

export function createSteps(output: Output, now: () => number): Steps;
