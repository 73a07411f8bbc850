import type { WorkloadRequest } from '../../probe/request.ts';

/** What is run, in a line. A statement may be hostile: whoever shows it makes it plain. */
export function describeWorkload(workload: WorkloadRequest): string {
  switch (workload.kind) {
    case 'stand-in':
      return 'A stand-in';
    case 'top':
      return `The ${workload.count} statements that this server runs most`;
    case 'code':
      return workload.from;
    case 'statements':
      return workload.statements.map(({ text }) => text.trim().replaceAll(/\s+/gu, ' ')).join('; ');
  }
}
