import { InvalidArgumentError } from 'commander';
import type { Pooler } from '../../lint/pooler.ts';
import { parsePooler } from '../../lint/pooler.ts';

export function readPooler(text: string): Pooler {
  const pooler = parsePooler(text);
  if (typeof pooler === 'string') throw new InvalidArgumentError(pooler);
  return pooler;
}

export function readCount(text: string): number {
  if (!/^\d+$/u.test(text)) throw new InvalidArgumentError('Write a whole number, for example 0.');
  return Number(text);
}

/** On how many threads files are checked, spelled as ESLint does. */
export type Concurrency = number | 'auto' | 'off';

export function readConcurrency(text: string): Concurrency {
  if (text === 'auto' || text === 'off') return text;
  if (!/^[1-9]\d{0,3}$/u.test(text))
    throw new InvalidArgumentError('Write auto, off or a number of threads, for example 4.');
  return Number(text);
}
