import { expect, test } from 'vitest';
import type { BackendTraces } from '../../../../src/database/read-backend-traces.ts';
import { compareTraces } from '../../../../src/probe/pooler/backend-traces.ts';

function backend(pid: number, change: Partial<BackendTraces> = {}): BackendTraces {
  return { pid, startedAt: 1000, seenAt: 2000, prepared: [], locks: [], settings: [], ...change };
}

test('what a backend keeps since is said by its name; values of settings are not', () => {
  expect(
    compareTraces(
      [backend(1, { prepared: ['old'], locks: ['0/1'], settings: ['a.b=1', 'c.d=1', 'e.f=1'] })],
      [
        backend(1, {
          prepared: ['old', 'new'],
          locks: ['0/1', '0/2'],
          settings: ['a.b=secret', 'c.d=1', 'g.h=1'],
        }),
      ],
    ),
  ).toEqual([
    'Backend 1 of the pooler keeps the prepared statement new, the advisory lock 0/2, another value of a.b, another value of g.h, another value of e.f.',
  ]);
});

test('only backends that were met both times are compared, each once', () => {
  const left = { prepared: ['new'] };
  expect(
    compareTraces(
      [backend(1), backend(2), backend(3)],
      [backend(1, left), backend(1, left), backend(2), backend(3, { ...left, startedAt: 1500 })],
    ),
  ).toEqual(['Backend 1 of the pooler keeps the prepared statement new.']);
});

test('a backend that began in between began with nothing', () => {
  const left = { prepared: ['new'], settings: ['a.b=1'], startedAt: 2500 };
  expect(compareTraces([backend(1)], [backend(2, left)])).toEqual([
    'Backend 2 of the pooler keeps the prepared statement new.',
  ]);
  expect(compareTraces([], [backend(2, left)])).toEqual([]);
});

test('hostile names are short and plain', () => {
  const many = Array.from({ length: 9 }, (_, at) => `s${at}\u202e${'x'.repeat(500)}`);
  const [sentence = ''] = compareTraces([backend(1)], [backend(1, { prepared: many })]);
  expect(sentence).toContain(', and 4 more.');
  expect(sentence).not.toContain('\u202e');
  expect(sentence.length).toBeLessThan(600);
});
