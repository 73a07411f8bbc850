import type { Command } from '../report.ts';

/** A command out of a line of a listener; null for anything else. */
export function readCommand(line: string): Command | null {
  const value = parse(line);
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null;
  if (value.kind === 'welcome') return { kind: 'welcome' };
  if (value.kind !== 'set-max' || !('pool' in value) || !('max' in value)) return null;
  const { pool, max } = value;
  return isWhole(pool, 0) && isWhole(max, 1) && max <= largestMax
    ? { kind: 'set-max', pool, max }
    : null;
}

/** More than any server accepts (`max_connections` ends at 262143). */
const largestMax = 262_143;

function isWhole(value: unknown, lowest: number): value is number {
  return Number.isSafeInteger(value) && typeof value === 'number' && value >= lowest;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
