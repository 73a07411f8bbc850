import type { Severity } from '../lint/linter.ts';
import type { Pooler } from '../lint/pooler.ts';
import { prefix } from '../lint/plugin.ts';
import { parsePooler } from '../lint/pooler.ts';

/** What a user chose in the editor for one document; section `poolguard`. */
export interface ServerSettings {
  readonly isEnabled: boolean;
  readonly pooler?: Pooler;
  readonly severities: Readonly<Record<string, Severity>>;
}

const severities: Readonly<Record<string, Severity>> = { off: 'off', warn: 'warn', warning: 'warn', error: 'error' };

/**
 * Reads `{ lint: { enable, rules: { <rule>: off|warn|error } }, pooler: "kind[:mode[:version]]" }`.
 * Settings are typed by hand: what makes no sense, or names no rule, is left at its default.
 */
export function readServerSettings(raw: unknown, ruleIds: readonly string[]): ServerSettings {
  const { lint, pooler } = fieldsOf(raw);
  const { enable, rules } = fieldsOf(lint);
  const parsed = typeof pooler === 'string' ? parsePooler(pooler) : undefined;
  return {
    isEnabled: enable !== false,
    severities: readSeverities(fieldsOf(rules), ruleIds),
    ...(typeof parsed === 'object' ? { pooler: parsed } : {}),
  };
}

function readSeverities(rules: Fields, ruleIds: readonly string[]): Record<string, Severity> {
  const entries = ruleIds.map((id) => [id, severities[String(rules[id] ?? rules[id.slice(prefix.length)])]] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Severity] => entry[1] !== undefined));
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
