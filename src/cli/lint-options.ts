import { InvalidArgumentError } from 'commander';
import type { Severity } from '../lint/linter.ts';
import type { Pooler } from '../lint/pooler.ts';
import { prefix } from '../lint/plugin.ts';
import { parsePooler } from '../lint/pooler.ts';

export type Severities = Readonly<Record<string, Severity>>;

const spellings: Readonly<Record<string, Severity>> = { off: 'off', '0': 'off', warn: 'warn', warning: 'warn', '1': 'warn', error: 'error', '2': 'error' };

/** Reads one `--rule id=severity`, with or without `poolguard/`, and adds it to those before. */
export function createRuleReader(ruleIds: readonly string[]) {
  return (text: string, before: Severities): Severities => {
    const [name = '', word = ''] = text.split(/[=:]/u).map((part) => part.trim());
    const id = name.startsWith(prefix) ? name : `${prefix}${name}`;
    const severity = Object.hasOwn(spellings, word) ? spellings[word] : undefined;
    if (severity === undefined) throw new InvalidArgumentError('Write a rule and its severity, for example no-session-state=error (or warn, off).');
    if (!ruleIds.includes(id)) throw new InvalidArgumentError(`There is no such rule. The rules are ${listOf(ruleIds)}.`);
    return { ...before, [id]: severity };
  };
}

function listOf(ruleIds: readonly string[]): string {
  return ruleIds.map((id) => id.slice(prefix.length)).join(', ');
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
