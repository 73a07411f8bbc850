import type { SizeResult } from '../../probe/result.ts';
import type { Section } from '../sheet.ts';
import { formatFigure } from '../units.ts';
import { tableOf, type Field } from './table-of.ts';

interface Share {
  readonly what: string;
  readonly backends: number;
}

/** What the backends take on the server, multiplied out; nothing where it was not measured. */
export function memorySection({ memory, recommendation, limits }: SizeResult): readonly Section[] {
  if (memory === null) return [];
  const max = recommendation?.max ?? 1;
  const shares: readonly Share[] = [
    { what: 'one backend', backends: 1 },
    ...(max === 1 ? [] : [{ what: `one pool of ${max}`, backends: max }]),
    ...(limits.pools === 1
      ? []
      : [{ what: `${limits.pools} pools of ${max}`, backends: max * limits.pools }]),
  ];
  const { bytes, workMemBytes } = memory;
  const fields: readonly Field<Share>[] = [
    { key: 'what', label: 'what', unit: 'text', of: ({ what }) => what },
    { key: 'backends', label: 'backends', unit: 'count', of: ({ backends }) => backends },
    { key: 'memory_bytes', label: 'memory', unit: 'bytes', of: ({ backends }) => backends * bytes },
    {
      key: 'with_work_mem_bytes',
      label: 'with one sort each',
      unit: 'bytes',
      of: ({ backends }) => (workMemBytes === null ? null : backends * (bytes + workMemBytes)),
    },
  ];
  const work =
    workMemBytes === null
      ? ''
      : ` Each sort or hash of a running statement may take work_mem (${formatFigure(workMemBytes, 'bytes')}) on top.`;
  return [
    {
      title: 'Memory on the server',
      tables: [tableOf('Memory of the backends', fields, shares)],
      sentences: [`Measured by ${memory.method} after the workload.${work}`],
    },
  ];
}
