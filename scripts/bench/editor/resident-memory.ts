import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const kilobytesInMegabyte = 1024;

/** What a process and its threads hold in RAM, in MB; NaN where the system does not tell. */
export async function residentMb(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => undefined);
  const kilobytes =
    status === undefined
      ? spawnSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' }).stdout
      : /^VmRSS:\s*(?<kb>\d+)/mu.exec(status)?.groups?.['kb'];
  return kilobytes === undefined || kilobytes.trim() === ''
    ? Number.NaN
    : Number(kilobytes) / kilobytesInMegabyte;
}

const lookEveryMs = 20;

/** Does work and tells the most that a process held meanwhile, in MB. */
export async function highestWhile<Result>(
  processId: number,
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly highest: number }> {
  let highest = await residentMb(processId);
  const watch = { isOver: false };
  const watching = (async () => {
    while (!watch.isOver) {
      highest = Math.max(highest, await residentMb(processId));
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  })();
  try {
    return { result: await work, highest };
  } finally {
    watch.isOver = true;
    await watching;
  }
}
