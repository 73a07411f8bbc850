import { threadId } from 'node:worker_threads';
import { socketVariables } from '../options.ts';
import { protocolVersion, type Report } from '../report.ts';

/** Who this thread is. */
export function sayHello(environment: Readonly<Record<string, string | undefined>>): Report {
  return {
    kind: 'hello',
    version: protocolVersion,
    token: environment[socketVariables.token] ?? '',
    pid: process.pid,
    parentPid: process.ppid,
    threadId,
    script: process.argv[1] ?? 'node',
    folder: process.cwd(),
    node: process.version,
    startedAt: Math.round(performance.timeOrigin),
  };
}
