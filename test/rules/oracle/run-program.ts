import { createChoices, nextPrefix, type Choice } from './choices.ts';
import type { PrintedProgram } from './print-program.ts';
import { createWorld, Failure, type Misuse, type World } from './world.ts';

export interface Leak {
  readonly site: number;
  readonly how: 'returned' | 'threw';
  readonly choices: readonly Choice[];
}

/** What is true of a program, found by running it with every combination of answers. */
export interface Truth {
  /** The first leak of each site and kind. */
  readonly leaks: readonly Leak[];
  readonly misuses: readonly Misuse[];
  /** Sites of which some run checked a client out. */
  readonly acquired: ReadonlySet<number>;
  /** Sites of which some run released a client. */
  readonly released: ReadonlySet<number>;
  /** False when there were too many combinations, so that only what was seen is certain. */
  readonly isComplete: boolean;
  readonly runs: number;
}

type Subject = (names: object) => unknown;

export async function runProgram(program: PrintedProgram, maximalRuns = 400): Promise<Truth> {
  const subject = compile(program);
  const leaks = new Map<string, Leak>();
  const misuses = new Map<string, Misuse>();
  const acquired = new Set<number>();
  const released = new Set<number>();
  let prefix: readonly number[] | null = [];
  let runs = 0;
  for (; prefix !== null && runs < maximalRuns; runs++) {
    const choices = createChoices(prefix);
    const world = createWorld(choices, program.sites);
    const how = await outcomeOf(subject, world);
    for (const { site, isReleased, isHandedOver, failedInSetUp } of world.clients) {
      acquired.add(site);
      if (isReleased && !failedInSetUp) released.add(site);
      if (!isReleased && !isHandedOver && !leaks.has(`${site} ${how}`))
        leaks.set(`${site} ${how}`, { site, how, choices: choices.taken });
    }
    for (const misuse of world.misuses) misuses.set(`${misuse.site} ${misuse.kind}`, misuse);
    prefix = nextPrefix(choices.taken);
  }
  return {
    leaks: [...leaks.values()],
    misuses: [...misuses.values()],
    acquired,
    released,
    isComplete: prefix === null,
    runs,
  };
}

function compile({ text, call }: PrintedProgram): Subject {
  // The names of the world are found before globals, and an assignment to an outer variable is seen.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the program is our own, made of known pieces
  return new Function('names', `with (names) {\n${text}\nreturn ${call};\n}`) as Subject;
}

/** Runs to the end of everything that the program has started. */
async function outcomeOf(subject: Subject, world: World): Promise<Leak['how']> {
  let how: Leak['how'] = 'returned';
  try {
    world.handOver(await subject(world.names));
  } catch (error) {
    if (!isExpected(error)) throw error;
    how = 'threw';
  }
  await new Promise((resolve) => setImmediate(resolve));
  world.close();
  return how;
}

/** Anything else than a failed query or the program's own exception is a mistake of the generator. */
function isExpected(error: unknown): boolean {
  return error instanceof Failure || (error instanceof Error && error.message === 'thrown');
}
