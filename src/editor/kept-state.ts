/** A state of the editor, of this workspace or of all. */
export interface KeptState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * The state with one write waiting for the one before. The editor hands each write back and takes it for all that is kept (VS Code's
 * `ExtensionMemento`), which loses a write that has just begun when an earlier one comes back.
 */
export function writtenInTurn(state: KeptState): KeptState {
  const unwritten = new Map<string, unknown>();
  let last: Promise<void> = Promise.resolve();
  return {
    get: (key) => (unwritten.has(key) ? unwritten.get(key) : state.get(key)),
    update(key, value) {
      unwritten.set(key, value);
      const written = last
        .then(() => state.update(key, value))
        .finally(() => {
          if (unwritten.get(key) === value) unwritten.delete(key);
        });
      last = written.catch(() => undefined);
      return written;
    },
  };
}
