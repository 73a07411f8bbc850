import fc from 'fast-check';
import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import { program } from './generate.ts';
import { printProgram } from './print-program.ts';
import { renamed } from './rename.ts';
import { runProgram } from './run-program.ts';
import { compare, describeDisagreement, reportsOn } from './verdict.ts';

const runs = Number(process.env['POOLGUARD_ORACLE_RUNS'] ?? 150);
/** Long enough for a busy machine: nothing is timed here. */
const limit = 120_000 + runs * 500;
const seed = Number(process.env['POOLGUARD_ORACLE_SEED'] ?? 20);

test(
  `agrees with ${runs} random programs that were run in every way`,
  async () => {
    const linter = new Linter();
    const property = fc.asyncProperty(program, async (each) => {
      const printed = printProgram(each);
      const disagreements = compare(printed, await runProgram(printed), reportsOn(printed, linter));
      if (disagreements.length > 0)
        throw new Error([printed.text, ...disagreements.map(describeDisagreement)].join('\n'));
    });
    const { errorInstance } = await fc.check(property, { numRuns: runs, seed });
    expect(errorInstance instanceof Error ? errorInstance.message : errorInstance).toBeNull();
  },
  limit,
);

test(
  'says the same of a program whose variables have other names',
  () => {
    const linter = new Linter();
    fc.assert(
      fc.property(program, (each) => {
        const printed = printProgram(each);
        const other = renamed(printed, linter);
        expect(reportsOn(other, linter), other.text).toEqual(reportsOn(printed, linter));
      }),
      { numRuns: Math.ceil(runs / 5), seed },
    );
  },
  limit,
);
