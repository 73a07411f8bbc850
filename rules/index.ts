import type { ESLint, Linter } from 'eslint';
import manifest from './package.json' with { type: 'json' };
import { createRule, type PoolguardRule } from './create-rule.ts';
import { describedRules } from './described-rules.ts';
import type { PresetName } from './rule-text.ts';

export { findingsOf } from './create-rule.ts';
export type { Edit } from './fixes/suggestion.ts';
export type { Finding, PathStep } from './checks/finding.ts';
export type { Place } from './syntax/place.ts';
export type { HeldSpan, HeldStatement, LineRange, SlowAwait } from './lenses/held-span.ts';
export type { WrittenQuery } from './lenses/written-query.ts';
export type { RouteStatement, WrittenRoute } from './lenses/written-route.ts';
export type { WrittenStatement } from './lenses/written-statement.ts';
export type {
  DeclaredPool,
  PoolOption,
  PoolOptionName,
  PoolValues,
} from './values/pools/declared-pool.ts';

const rules: Readonly<Record<string, PoolguardRule>> = Object.fromEntries(
  describedRules.map((rule) => [rule.id, createRule(rule)]),
);

interface Plugin extends ESLint.Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Record<string, PoolguardRule>;
  readonly configs: Readonly<Record<PresetName, Linter.Config>>;
}

/** The plugin object of ESLint and oxlint. Its presets are flat configurations; they name the plugin, so they are made when asked for. */
const plugin: Plugin = {
  meta: { name: manifest.name, version: manifest.version, namespace: 'poolguard' },
  rules,
  configs: {
    get recommended() {
      return preset('recommended');
    },
    get strict() {
      return preset('strict');
    },
    get 'transaction-pooling'() {
      return {
        ...preset('transaction-pooling'),
        settings: { poolguard: { pooler: { kind: 'pgbouncer', mode: 'transaction' } } },
      };
    },
  },
};

function preset(name: PresetName): Linter.Config {
  const chosen = Object.entries(rules).flatMap(
    ([id, { meta }]): [string, Linter.RuleSeverity][] => {
      const severity = meta.docs.severities[name];
      return severity === undefined ? [] : [[`poolguard/${id}`, severity]];
    },
  );
  return {
    name: `poolguard/${name}`,
    plugins: { poolguard: plugin },
    rules: Object.fromEntries(chosen),
  };
}

export default plugin;
