import type { KnownRules } from '../../lint/known-rules.ts';
import { CouldNotRun } from '../exit-code.ts';
import { readRuleEntries, type RuleEntries } from './rule-entries.ts';

const place = '--rule';
const simple = /^\s*(?<name>[\w/-]+)\s*[=:]\s*(?<severity>\w+)\s*$/u;

/** Reads what was typed after `--rule`: `id: severity`, `id=severity`, or with options as ESLint takes them: `id: [severity, { … }]`. */
export async function readRuleOption(typed: string, known: KnownRules): Promise<RuleEntries> {
  const { name, severity } = simple.exec(typed)?.groups ?? {};
  const written =
    name === undefined ? await parse(typed.replace(/^([\w/\s-]+)=/u, '$1:')) : { [name]: severity };
  return readRuleEntries(written, place, known);
}

/** The notation of ESLint's own command line, which is parsed by its parser. */
async function parse(typed: string): Promise<Readonly<Record<string, unknown>>> {
  const { default: levn } = await import('levn');
  try {
    return levn.parse('Object', typed) as Readonly<Record<string, unknown>>;
  } catch {
    throw new CouldNotRun(
      `${place}: ${typed} is not a rule with its severity. Write for example 'no-session-state: error', or with options 'no-session-state: [error, { allow: [set] }]'.`,
    );
  }
}
