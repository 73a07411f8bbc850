import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRepaint } from '../../../../src/editor/findings/repaint.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(answer: (version: number) => string | null | undefined) {
  const asked: number[] = [];
  const shown: string[] = [];
  const repaint = createRepaint<{ version: number }, string>({
    ask: ({ version }) => {
      asked.push(version);
      return Promise.resolve(answer(version));
    },
    show: (_, found) => {
      shown.push(found);
    },
  });
  return { repaint, asked, shown };
}

it('asks once for a version, after the typing rests', async () => {
  const { repaint, asked, shown } = start(String);
  const document = { version: 1 };
  repaint.soon(document, 300);
  document.version = 2;
  repaint.soon(document, 300);
  await vi.advanceTimersByTimeAsync(300);
  repaint.soon(document, 0);
  await vi.advanceTimersByTimeAsync(0);
  expect({ asked, shown }).toEqual({ asked: [2], shown: ['2', '2'] });
  repaint.again(document);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([2, 2]);
});

it('leaves what is shown while there is nothing to say, and asks again when nobody answered', async () => {
  const { repaint, asked, shown } = start((version) => (version === 1 ? null : undefined));
  const document = { version: 1 };
  const rest = async (): Promise<void> => {
    repaint.soon(document, 0);
    await vi.advanceTimersByTimeAsync(0);
  };
  await rest();
  await rest();
  document.version = 2;
  await rest();
  await rest();
  expect({ asked, shown }).toEqual({ asked: [1, 2, 2], shown: [] });
  repaint.dispose();
});
