export interface StateLog<State> {
  readonly states: readonly State[];
  readonly add: (state: State) => void;
  /** The first state, past or to come, that fulfils the condition. */
  until(condition: (state: State) => boolean): Promise<State>;
  /** The first state to come that fulfils the condition. */
  next(condition: (state: State) => boolean): Promise<State>;
}

/** Records the states that something emits, and lets a test wait for one. */
export function createStateLog<State>(): StateLog<State> {
  const states: State[] = [];
  const waiting = new Set<(state: State) => void>();
  const next: StateLog<State>['next'] = (condition) =>
    new Promise((resolve) => {
      const look = (state: State) => {
        if (!condition(state)) return;
        waiting.delete(look);
        resolve(state);
      };
      waiting.add(look);
    });
  return {
    states,
    add: (state) => {
      states.push(state);
      for (const look of [...waiting]) look(state);
    },
    until: (condition) => {
      const past = states.find(condition);
      return past === undefined ? next(condition) : Promise.resolve(past);
    },
    next,
  };
}
