import { describe, expect, test } from 'vitest';
import { confirmWrites } from '../../../../src/cli/probe/confirm-writes.ts';
import { parseTarget } from '../../../../src/database/target.ts';
import { sizeDefaults, type SizeRequest } from '../../../../src/probe/request.ts';

const parsed = parseTarget('postgres://app@localhost/shop');
if (parsed.kind === 'problem') throw new Error(parsed.sentence);
const request: SizeRequest = {
  ...sizeDefaults,
  target: parsed.target,
  secret: null,
  allowWrites: true,
};

/** A terminal at which these keys are pressed. */
function terminal(keys: string) {
  const shown: string[] = [];
  let isHeard = false;
  const onKey = (listener: (key: string) => void) => {
    isHeard = true;
    queueMicrotask(() => {
      for (const key of keys) if (isHeard) listener(key);
    });
    return () => {
      isHeard = false;
    };
  };
  return {
    shown,
    io: {
      onKey,
      signal: new AbortController().signal,
      stderr: { write: (text: string) => shown.push(text) },
    },
  };
}

const nobody = {
  onKey: undefined,
  signal: new AbortController().signal,
  stderr: { write: () => true },
};

describe('where input is not a terminal', () => {
  test('nothing is asked where nothing is written', async () => {
    expect(await confirmWrites({}, request, nobody)).toBe(true);
    expect(await confirmWrites({ allowWrites: true }, { ...request, dryRun: true }, nobody)).toBe(
      true,
    );
  });

  test('the command must name the database', async () => {
    expect(await confirmWrites({ allowWrites: 'shop' }, request, nobody)).toBe(true);
    await expect(confirmWrites({ allowWrites: true }, request, nobody)).rejects.toThrow(
      /--allow-writes=shop/,
    );
  });
});

test('another name is refused, without repeating what may be a secret', async () => {
  const refused = await confirmWrites(
    { allowWrites: 'postgres://app:hunter2@localhost/shop' },
    request,
    terminal('').io,
  ).catch(String);
  expect(refused).toMatch(/does not name the database.*--allow-writes=shop/);
  expect(refused).not.toMatch(/hunter2/);
});

describe('at a terminal', () => {
  test.each([
    ['shop\r', true],
    ['shoe\u007Fp\r', true],
    ['sho\u007F\u007F\u007F\u007Fshop\n', true],
    ['y\r', false],
    ['\r', false],
    ['shop\u0003', false],
    ['\u001Bshop\r', false],
  ])('%j gives %s', async (keys, isAllowed) => {
    expect(await confirmWrites({ allowWrites: true }, request, terminal(keys).io)).toBe(isAllowed);
  });

  test('asks nobody when the name was given, or nothing is written', async () => {
    const { shown, io } = terminal('');
    expect(await confirmWrites({ allowWrites: 'shop' }, request, io)).toBe(true);
    expect(await confirmWrites({}, request, io)).toBe(true);
    expect(shown).toEqual([]);
  });

  test('a cancel ends the question', async () => {
    const ending = new AbortController();
    const answer = confirmWrites({ allowWrites: true }, request, {
      ...terminal('').io,
      signal: ending.signal,
    });
    ending.abort();
    expect(await answer).toBe(false);
  });
});
