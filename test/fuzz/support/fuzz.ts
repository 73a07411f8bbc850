import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { inject, test } from 'vitest';
import { watchForHang } from './hang-watch.ts';
import type { Tried } from './tell-table.ts';

const { POOLGUARD_FUZZ_SECONDS: seconds, POOLGUARD_FUZZ_SEED: seed = '1' } = process.env;

/** Each target is tried for so long when it is said, and with its number of cases otherwise. */
const fuzzing = {
  seconds: seconds === undefined ? undefined : Number(seconds),
  seed: Number(seed),
} as const;

/**
 * One target: `property` throws where it does not hold. It is tried with values of `values` from a fixed seed, so that two runs try the
 * same cases in the same order; with `cases` of them unless a time is said.
 */
export function fuzz<Value>(
  target: string,
  values: fc.Arbitrary<Value>,
  property: (value: Value) => void | Promise<void>,
  cases = 5_000,
): void {
  test(target, async () => {
    const times: number[] = [];
    using watch = watchForHang(target, fuzzing.seed);
    const timed = fc.asyncProperty(values, async (value) => {
      watch.tick();
      const start = performance.now();
      await property(value);
      times.push(performance.now() - start);
    });
    const details = await fc.check(timed, {
      seed: fuzzing.seed,
      ...(fuzzing.seconds === undefined
        ? { numRuns: cases }
        : {
            numRuns: Number.POSITIVE_INFINITY,
            interruptAfterTimeLimit: fuzzing.seconds * 1_000,
            markInterruptAsFailure: false,
          }),
    });
    const hasFailed = details.counterexample !== null;
    tell({
      target,
      cases: times.length,
      failures: hasFailed ? 1 : 0,
      medianMs: median(times),
      slowestMs: times.reduce((most, each) => Math.max(most, each), 0),
    });
    if (hasFailed)
      throw new Error(
        `${target} does not hold. To repeat: POOLGUARD_FUZZ_SEED=${fuzzing.seed} npm run fuzz -- -t ${JSON.stringify(target)}\n${fc.defaultReportMessage(details) ?? ''}\n${String(details.errorInstance)}`,
        { cause: details.errorInstance },
      );
    if (times.length === 0) throw new Error(`${target} tried nothing in its time.`);
  });
}

function tell(tried: Tried): void {
  appendFileSync(inject('triedFile'), `${JSON.stringify(tried)}\n`);
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
