import fc from 'fast-check';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { breachesOf, breachesOfOrder, breachesOfRelease, breachesOfUndo, laws } from './laws.ts';
import { circularSources, randomSources, writtenSources } from './sources.ts';
import { subjectOf, type Source, type Subject } from './subject.ts';

const isLong = process.env['POOLGUARD_LAWS_PROGRAMS'] !== undefined;
const programs = Number(process.env['POOLGUARD_LAWS_PROGRAMS'] ?? 12);
const seed = Number(process.env['POOLGUARD_LAWS_SEED'] ?? 20);
const written = writtenSources(process.env['POOLGUARD_LAWS_CORPUS']);
const limit = 120_000 + programs * 1000;

/** Unless laws are tried for long, each is tried on some of what is written, on others than the law before. */
function someOf(index: number): readonly Source[] {
  return isLong ? written : written.filter(({ name }) => (hashOf(name) + index) % 64 === 0);
}

/** Another file beside them changes nothing for these. */
function hashOf(name: string): number {
  return [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_521, 7);
}

/** What is wrong with written sources, each tried in a turn of its own. */
async function breachesOfEach(
  sources: readonly Source[],
  breaches: (subject: Subject, index: number) => readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, source] of sources.entries()) {
    await nextTurn();
    const subject = subjectOf(source);
    if (subject !== undefined) found.push(...breaches(subject, index));
  }
  return found;
}

/** What is wrong with the first random program of which something is wrong, made small. */
async function breachOfPrograms(
  breaches: (subject: Subject, choice: number) => readonly string[],
  index: number,
  sources = randomSources,
  numRuns = programs,
): Promise<readonly string[]> {
  const property = fc.asyncProperty(sources, fc.nat(1000), async (source, choice) => {
    // Trees that are held weakly go between turns only.
    await nextTurn();
    const subject = subjectOf(source);
    const found = subject === undefined ? [] : breaches(subject, choice);
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  const { errorInstance } = await fc.check(property, { numRuns, seed: seed + index });
  return errorInstance instanceof Error ? [errorInstance.message] : [];
}

test.each(laws.map((law, index) => [law.name, law, index] as const))(
  'the same is said with %s',
  async (_name, law, index) => {
    const breaches = await breachesOfEach(someOf(index), (subject) =>
      breachesOf(law, subject, index),
    );
    const random = await breachOfPrograms(
      (subject, choice) => breachesOf(law, subject, choice),
      index,
    );
    expect([...breaches, ...random]).toEqual([]);
  },
  limit,
);

test.each(laws.filter(({ isOfOrder }) => isOfOrder === true))(
  'the same is said of getters, lenders and helpers that call each other, with $name',
  async (law) => {
    const breaches = (subject: Subject, choice: number) => breachesOf(law, subject, choice);
    expect(await breachOfPrograms(breaches, 0, circularSources, 4 * programs)).toEqual([]);
  },
  limit,
);

test(
  'the same is said of files in another order',
  () => {
    const folders = new Set(someOf(laws.length).map(({ path }) => dirname(path)));
    const breaches = [...folders].flatMap((folder) => {
      const sources = written.filter(({ path }) => dirname(path) === folder);
      const files = Object.fromEntries(sources.map(({ path, text }) => [path, text]));
      return breachesOfOrder(files, sources[0]?.beside);
    });
    expect(breaches).toEqual([]);
  },
  limit,
);

test(
  'the same is said after a line was taken away and put back',
  async () => {
    const written = await breachesOfEach(someOf(laws.length + 1), breachesOfUndo);
    expect([...written, ...(await breachOfPrograms(breachesOfUndo, laws.length + 1))]).toEqual([]);
  },
  limit,
);

test(
  'a release in a `finally` ends a leak, and no release makes one',
  async () => {
    expect(await breachOfPrograms(breachesOfRelease, laws.length)).toEqual([]);
  },
  limit,
);
