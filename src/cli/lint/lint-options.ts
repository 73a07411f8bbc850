import { InvalidArgumentError } from 'commander';
import type { Severity } from '../../lint/linter.ts';
import type { Pooler } from '../../lint/pooler.ts';
import { prefix } from '../../lint/plugin.ts';
import { parsePooler } from '../../lint/pooler.ts';
import { CouldNotRun } from '../exit-code.ts';
import { nearestName } from '../nearest-name.ts';

export type Severities = Readonly<Record<string, Severity>>;

const spellings: Readonly<Record<string, Severity>> = {
  off: 'off',
  '0': 'off',
  warn: 'warn',
  warning: 'warn',
  '1': 'warn',
  error: 'error',
  '2': 'error',
};

/** Reads one `--rule id=severity`, with or without `poolguard/`, and adds it to those before. */
export function createRuleReader(ruleIds: readonly string[]) {
  return (text: string, before: Severities = {}): Severities => {
    const [name = '', word = ''] = text.split(/[=:]/u).map((part) => part.trim());
    const id = name.startsWith(prefix) ? name : `${prefix}${name}`;
    const severity = Object.hasOwn(spellings, word) ? spellings[word] : undefined;
    if (severity === undefined)
      throw new InvalidArgumentError(
        'Write a rule and its severity, for example no-session-state=error (or warn, off).',
      );
    if (!ruleIds.includes(id))
      throw new InvalidArgumentError(
        describeUnknown(
          id.slice(prefix.length),
          ruleIds.map((each) => each.slice(prefix.length)),
        ),
      );
    return { ...before, [id]: severity };
  };
}

/** Reads the name of a rule, with or without `poolguard/`. Throws `CouldNotRun` where there is no such rule; `place` is where it stands. */
export function readRuleId(name: string, place: string, ruleIds: readonly string[]): string {
  const id = name.startsWith(prefix) ? name : `${prefix}${name}`;
  if (ruleIds.includes(id)) return id;
  const names = ruleIds.map((each) => each.slice(prefix.length));
  const near = nearestName(id.slice(prefix.length), names);
  throw new CouldNotRun(
    `${place}: there is no rule ${name}. ${near === null ? '' : `Did you mean ${near}? `}The rules are ${names.join(', ')}.`,
  );
}

function describeUnknown(typed: string, names: readonly string[]): string {
  const near = nearestName(typed, names);
  return `${near === null ? 'There is no such rule.' : `Did you mean ${near}?`} The rules are ${names.join(', ')}.`;
}

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
