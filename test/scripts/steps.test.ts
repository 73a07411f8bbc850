import pc from 'picocolors';
import { expect, test } from 'vitest';
import { createSteps } from '../../scripts/steps.mjs';

function record(isTTY: boolean) {
  const written: string[] = [];
  let clock = 0;
  return {
    written,
    steps: createSteps(
      { write: (text) => void written.push(text), isTTY, colors: pc.createColors(false) },
      () => (clock += 1_500),
    ),
  };
}

test('a step prints its name before and its time after, without control characters off a terminal', async () => {
  const { written, steps } = record(false);
  expect(await steps.run('Count', () => Promise.resolve(3))).toBe(3);
  steps.say('three\nlines');
  expect(written).toEqual(['… Count\n', '✓ Count 1.5 s\n', '  three\n  lines\n']);
});

test('a step that fails is marked, and its error goes on', async () => {
  const { written, steps } = record(false);
  await expect(steps.run('Count', () => Promise.reject(new Error('no fingers')))).rejects.toThrow(
    'no fingers',
  );
  expect(written.at(-1)).toBe('✗ Count 1.5 s\n');
});

test('on a terminal the line is replaced and its timer ends', async () => {
  const { written, steps } = record(true);
  await steps.run('Count', () => Promise.resolve());
  expect(written[0]).toContain('Count');
  expect(written.at(-1)).toContain('\r\u001B[2K');
});

test('a log says every five seconds what a step is at', async () => {
  const { written, steps } = record(false);
  await steps.run('Count', (doing) => {
    for (let finger = 1; finger <= 8; finger += 1) doing(`finger ${finger}`);
    return Promise.resolve();
  });
  // Each of them takes 1.5 s.
  expect(written).toEqual([
    '… Count\n',
    '  finger 4, 6.0 s\n',
    '  finger 8, 12.0 s\n',
    '✓ Count 13.5 s\n',
  ]);
});
