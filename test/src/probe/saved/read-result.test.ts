import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readResult } from '../../../../src/probe/saved/read-result.ts';
import { correctionOf } from '../../../../src/probe/size/contention.ts';
import { formats } from '../../../../src/report/formats.ts';
import { hostileText } from '../../../support/hostile-text.ts';
import { everyResult, probeResults } from '../../../support/probe-results.ts';

test.each(everyResult)('a result of $experiment comes back as it was', (result) => {
  const answer = readResult(formats.json.write(result), 'old.json');
  expect(answer).toEqual({ kind: 'result', result: JSON.parse(JSON.stringify(result)) as unknown });
});

test('statistics that were never reset, and a pooler that was the limit, come back as well', () => {
  const { size } = probeResults;
  const result = {
    ...size,
    verdict: { kind: 'pooler-bound', because: 'All 4 were used.' },
    advice: { ...size.advice, observed: { busyShare: 1, meanActive: null, since: null } },
  } as const;
  expect(readResult(formats.json.write(result), 'old.json')).toMatchObject({ kind: 'result' });
  expect(formats.markdown.write(result)).toContain(
    'Since its statistics began, of the time in transactions 100 %',
  );
});

test('a result of a version that left disturbed slices out is still read', () => {
  const { size } = probeResults;
  const older = {
    ...size,
    sizes: size.sizes.map((point) => ({ ...point, acceptedSlices: 2 })),
    slices: size.slices.map(({ load, ...slice }) => ({
      ...slice,
      quiet: false,
      load: {
        cores: 2,
        eventLoop: 0.5,
        ownCores: 0.5,
        idleCores: 0,
        foreignCores: load.foreignCores,
      },
    })),
  };
  const answer = readResult(JSON.stringify(older), 'old.json');
  if (answer.kind !== 'result' || answer.result.experiment !== 'size') throw new Error(answer.kind);
  expect(answer.result.slices.map(correctionOf)).toEqual(size.slices.map(() => 0));
  expect(formats.html.write(answer.result)).not.toContain('dot unheard" cx');
});

function refusal(text: string): string {
  const answer = readResult(text, 'old.json');
  return answer.kind === 'refused' ? answer.sentence : 'was read';
}

test.each([
  ['', 'old.json holds no result of a probe. Save one with poolguard probe --output result.json.'],
  [
    '{"name":"package"}',
    'old.json holds no result of a probe. Save one with poolguard probe --output result.json.',
  ],
  [
    '{"metrics":{},"root_group":{}}',
    'old.json is a summary of k6 itself, which does not have the planned load. Run a script that poolguard wrote (poolguard probe ramp --export k6), and read the k6-summary.json that it writes.',
  ],
  [
    '[1]',
    'old.json holds no result of a probe. Save one with poolguard probe --output result.json.',
  ],
  [
    '{"schemaVersion":"one\\ntwo","experiment":"size"}',
    'old.json was written by an older Poolguard. Measure again.',
  ],
  [
    '{"schemaVersion":1,"experiment":"size"}',
    'old.json was written by an older Poolguard (schema 1; this one reads 2). Measure again.',
  ],
  [
    '{"schemaVersion":99,"experiment":"size"}',
    'old.json was written by a newer Poolguard (schema 99; this one reads 2). Update Poolguard.',
  ],
  [
    '{"schemaVersion":2,"experiment":"__proto__"}',
    'old.json holds the result of an experiment that this Poolguard does not know. Update Poolguard.',
  ],
  ['{"schemaVersion":2,"experiment":"advise"}', 'old.json is damaged: server is missing.'],
  [
    JSON.stringify({
      ...probeResults.size,
      sizes: [{ ...probeResults.size.sizes[0], throughput: 'fast' }],
    }),
    'old.json is damaged: sizes[0].throughput is not a number.',
  ],
  [
    JSON.stringify({
      ...probeResults.size,
      sizes: [{ ...probeResults.size.sizes[0], throughput: 0 }],
    }),
    'old.json is damaged: sizes[0].throughput is not a number above 0.',
  ],
  [
    JSON.stringify({
      ...probeResults.size,
      verdict: { kind: 'perhaps', because: '' },
    }),
    'old.json is damaged: verdict.kind is not one of found, not-saturated, client-bound, host-bound, lock-bound, pooler-bound, too-noisy.',
  ],
  [
    JSON.stringify(probeResults.size).replace('"elapsedMs":8700', '"elapsedMs":1e999'),
    'old.json is damaged: elapsedMs is not a number.',
  ],
  [
    JSON.stringify({ ...probeResults.size, notes: [1] }),
    'old.json is damaged: notes[0] is not a string.',
  ],
])('says what is wrong with %s', (text, sentence) => {
  expect(refusal(text)).toBe(sentence);
});

/** Replaces one value somewhere inside. */
function damage(value: unknown, path: readonly number[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return by;
  const entries = Object.entries(value);
  const [key] = entries[step % Math.max(1, entries.length)] ?? [];
  if (key === undefined) return by;
  const damaged = damage((value as Readonly<Record<string, unknown>>)[key], rest, by);
  return Array.isArray(value)
    ? value.map((each: unknown, index) => (String(index) === key ? damaged : each))
    : { ...value, [key]: damaged };
}

test('whatever a file holds, it is refused in a sentence or written in every format', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    hostileText,
    fc.constantFrom(null, 0, -1, 1e308, 1e-308, '', [], {}),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...everyResult),
      fc.array(fc.nat(60), { maxLength: 5 }),
      anything,
      (result, path, by) => {
        const answer = readResult(JSON.stringify(damage(result, path, by)), 'old.json');
        if (answer.kind === 'refused') return answer.sentence.startsWith('old.json ');
        const texts = Object.values(formats).map(({ write }) =>
          write(answer.result, { isColored: false, columns: 80 }),
        );
        return texts.every((text) => !text.includes('<img') || !text.startsWith('<!doctype'));
      },
    ),
    { numRuns: 100 },
  );
});
