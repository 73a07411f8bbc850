import { createChoices, nextPrefix, type Choice } from './choices.ts';
import type { PrintedProgram } from './print-program.ts';
import { createWorld, Failure, type Misuse, type World } from './world.ts';

/** What a run did wrong with a client of a site. */
export interface Mistake {
  readonly kind: 'leaked' | Misuse['kind'];
  readonly site: number;
  /** How the run ended. */
  readonly how: 'returned' | 'threw';
  readonly choices: readonly Choice[];
}

/** What is true of a program, found by running it with every combination of answers. */
export interface Truth {
  /** The first of each site, kind and end. */
  readonly mistakes: readonly Mistake[];
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
  const mistakes = new Map<string, Mistake>();
  const acquired = new Set<number>();
  const released = new Set<number>();
  let prefix: readonly number[] | null = [];
  let runs = 0;
  for (; prefix !== null && runs < maximalRuns; runs++) {
    const choices = createChoices(prefix);
    const world = createWorld(choices, program.sites);
    const how = await outcomeOf(subject, world);
    for (const { kind, site } of mistakesIn(world)) {
      const key = `${kind} ${site} ${how}`;
      if (!mistakes.has(key)) mistakes.set(key, { kind, site, how, choices: choices.taken });
    }
    for (const { site, isReleased, failedInSetUp } of world.clients) {
      acquired.add(site);
      if (isReleased && !failedInSetUp) released.add(site);
    }
    prefix = nextPrefix(choices.taken);
  }
  return {
    mistakes: [...mistakes.values()],
    acquired,
    released,
    isComplete: prefix === null,
    runs,
  };
}

function mistakesIn({ clients, misuses }: World): readonly Pick<Mistake, 'kind' | 'site'>[] {
  const leaks = clients.filter(({ isReleased, isHandedOver }) => !isReleased && !isHandedOver);
  return [...leaks.map(({ site }) => ({ kind: 'leaked' as const, site })), ...misuses];
}

function compile({ text, call }: PrintedProgram): Subject {
  // The names of the world are found before globals, and an assignment to an outer variable is seen.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the program is our own, made of known pieces
  return new Function('names', `with (names) {\n${text}\nreturn ${call};\n}`) as Subject;
}

/** Runs to the end of everything that the program has started. */
async function outcomeOf(subject: Subject, world: World): Promise<Mistake['how']> {
  let how: Mistake['how'] = 'returned';
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
