import { Session } from 'node:inspector/promises';

/** How often blocks of the code run while something is done, as V8 counts them: the same on each machine, however busy. What V8 does itself is not in it. */
export async function countWork(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => /\/(?:rules|src)\/|\/node_modules\/(?:yaml|jsonc-parser)\//u.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}
