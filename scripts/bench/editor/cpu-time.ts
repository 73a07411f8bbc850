import { readFile } from 'node:fs/promises';

/** Linux counts in ticks of 10 ms on every architecture that Node runs on. */
const msPerTick = 10;

/** CPU time that the one thread of a process has used, in ms, precise to the nanosecond; NaN where the system does not tell. */
export async function threadTimeMs(processId: number): Promise<number> {
  const [nanoseconds = ''] = (
    await readFile(`/proc/${processId}/schedstat`, 'utf8').catch(() => '')
  ).split(' ');
  return nanoseconds === '' ? Number.NaN : Number(nanoseconds) / 1_000_000;
}

/** CPU time that a process and its threads have used, in ms; NaN where the system does not tell. */
export async function cpuTimeMs(processId: number): Promise<number> {
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '');
  // The name, which may hold anything, ends with the last bracket; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
