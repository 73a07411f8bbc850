import { expect, onTestFinished, test } from 'vitest';
import { keepCodeRead } from '../../../../src/editor/linking/keep-code-read.ts';

/** A reading whose questions are answered by hand. */
function start() {
  const asked: {
    readonly isFirst: boolean;
    answer(code: string | undefined): void;
    fail(): void;
  }[] = [];
  const wakers: (() => void)[] = [];
  const told: (string | undefined)[] = [];
  const wake = () => {
    for (const waker of wakers.splice(0)) waker();
  };
  const reading = keepCodeRead<string>({
    restMs: 5,
    read: (isFirst) =>
      new Promise((resolve, reject) => {
        asked.push({
          isFirst,
          answer: resolve,
          fail: () => {
            reject(new Error('no server'));
          },
        });
        wake();
      }),
    onRead: (code) => {
      told.push(code);
      wake();
    },
  });
  onTestFinished(() => {
    reading.dispose();
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => wakers.push(resolve));
  };
  return { reading, asked, told, until };
}

test('nothing is asked before somebody wants it', () => {
  const { reading, asked } = start();
  reading.again();
  expect(asked).toEqual([]);
});

test('what changes while it is read is asked for once more, and once', async () => {
  const { reading, asked, told, until } = start();
  reading.setWanted(true);
  await until(() => asked.length === 1);
  reading.again();
  reading.again();
  asked[0]?.answer('old');
  await until(() => asked.length === 2);
  asked[1]?.answer('new');
  await until(() => told.length === 2);
  expect([told, asked.map(({ isFirst }) => isFirst)]).toEqual([
    ['old', 'new'],
    [true, false],
  ]);
});

test('a question that fails leaves what was read before', async () => {
  const { reading, asked, told, until } = start();
  reading.setWanted(true);
  await until(() => asked.length === 1);
  asked[0]?.answer('code');
  await until(() => told.length === 1);
  reading.again();
  await until(() => asked.length === 2);
  asked[1]?.fail();
  reading.again();
  await until(() => asked.length === 3);
  expect(told).toEqual(['code']);
});

test('what was read is forgotten when nobody wants it, and asked for anew when somebody does', async () => {
  const { reading, asked, told, until } = start();
  reading.setWanted(true);
  await until(() => asked.length === 1);
  asked[0]?.answer('code');
  await until(() => told.length === 1);
  reading.setWanted(false);
  expect(told).toEqual(['code', undefined]);
  reading.setWanted(true);
  await until(() => asked.length === 2);
  expect(asked[1]?.isFirst).toBe(true);
});

test('an answer that comes after nobody wants it is dropped', async () => {
  const { reading, asked, told, until } = start();
  reading.setWanted(true);
  await until(() => asked.length === 1);
  reading.setWanted(false);
  asked[0]?.answer('late');
  await Promise.resolve().then(() => undefined);
  reading.setWanted(true);
  await until(() => asked.length === 2);
  asked[1]?.answer('code');
  await until(() => told.length === 1);
  expect(told).toEqual(['code']);
});
