import fc from 'fast-check';

/** Something that takes time: it goes on when the schedule says so. */
export type Step = (what: string) => Promise<unknown>;

export interface Overlap<Desk> {
  /** A new one for each schedule. */
  readonly make: (step: Step) => Desk;
  /** What people and machines do, none of which waits for what was done before. */
  readonly acts: Readonly<Record<string, (desk: Desk) => unknown>>;
  /** What has become of it; rejects where that is wrong. */
  readonly look: (desk: Desk, scheduler: fc.Scheduler, names: readonly string[]) => Promise<void>;
}

const schedules = 2_000;
const longest = 25;

/** Does things in a random order, each while steps of those before are on their way, 2,000 times. */
export async function overlap<Desk>({ make, acts, look }: Overlap<Desk>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(...Object.keys(acts)), { maxLength: longest }),
      async (scheduler, names) => {
        const desk = make((what) => scheduler.schedule(Promise.resolve(), what));
        const sequence = names.map((label) => ({
          label,
          builder: () => {
            acts[label]?.(desk);
            return Promise.resolve();
          },
        }));
        await scheduler.waitFor(scheduler.scheduleSequence(sequence).task);
        await look(desk, scheduler, names);
      },
    ),
    { numRuns: schedules },
  );
}
