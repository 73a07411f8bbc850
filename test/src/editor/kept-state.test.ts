import { expect, test } from 'vitest';
import { writtenInTurn, type KeptState } from '../../../src/editor/kept-state.ts';

/** As the editor keeps a state: what is written goes out whole in a later turn, comes back, and is then all that is kept. */
class StateOfEditor implements KeptState {
  #kept: Readonly<Record<string, unknown>> = {};
  #sent: Readonly<Record<string, unknown>> = {};
  readonly #turns: (() => void)[] = [];

  get(key: string): unknown {
    return this.#kept[key];
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#kept = { ...this.#kept, [key]: value };
    await this.#turn();
    const sent = (this.#sent = this.#kept);
    await this.#turn();
    this.#kept = sent;
  }

  get stored(): unknown {
    return this.#sent;
  }

  async run(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.#turns.shift()?.();
      await new Promise(setImmediate);
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#turns.push(resolve));
  }
}

const writes = [
  ['one key', 'width', 182, { width: 182 }],
  ['another key', 'roles', ['app'], { width: 166, roles: ['app'] }],
] as const;

async function writeTwice(
  editor: StateOfEditor,
  state: KeptState,
  [key, value]: readonly [string, unknown],
): Promise<unknown> {
  void state.update('width', 166);
  await editor.run(1);
  void state.update(key, value);
  expect(state.get(key)).toEqual(value);
  await editor.run(8);
  return editor.stored;
}

test.each(writes)('the editor loses a quick write of %s', async (_, key, value, both) => {
  const editor = new StateOfEditor();
  expect(await writeTwice(editor, editor, [key, value])).not.toEqual(both);
});

test.each(writes)('written in turn, a quick write of %s stays', async (_, key, value, both) => {
  const editor = new StateOfEditor();
  const state = writtenInTurn(editor);
  expect(await writeTwice(editor, state, [key, value])).toEqual(both);
  expect(state.get(key)).toEqual(value);
});

test('what cannot be written is told to its writer only', async () => {
  const written: unknown[] = [];
  const state = writtenInTurn({
    get: () => 'before',
    update: (_, value) =>
      value === 'broken'
        ? Promise.reject(new Error('full'))
        : Promise.resolve(void written.push(value)),
  });
  const broken = state.update('a', 'broken');
  const next = state.update('a', 'next');
  await expect(broken).rejects.toThrow('full');
  await next;
  expect(written).toEqual(['next']);
});
