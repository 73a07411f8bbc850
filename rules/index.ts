import type { ESLint, Linter, Rule } from 'eslint';
import manifest from './package.json' with { type: 'json' };
import noDoubleRelease from './no-double-release.ts';
import noExternalAwaitWhileHolding from './no-external-await-while-holding.ts';
import noNestedCheckout from './no-nested-checkout.ts';
import noSessionState from './no-session-state.ts';
import noUnreleasedClient from './no-unreleased-client.ts';
import noUseAfterRelease from './no-use-after-release.ts';

export { findingsOf } from './analysis/analyse.ts';
export type { Finding, PathStep, Place } from './analysis/findings/finding.ts';

const rules: Record<string, Rule.RuleModule> = {
  'no-double-release': noDoubleRelease,
  'no-external-await-while-holding': noExternalAwaitWhileHolding,
  'no-nested-checkout': noNestedCheckout,
  'no-session-state': noSessionState,
  'no-unreleased-client': noUnreleasedClient,
  'no-use-after-release': noUseAfterRelease,
};

/** What is wrong in every project. */
const bugs = { 'no-unreleased-client': 'error', 'no-double-release': 'error', 'no-use-after-release': 'error', 'no-nested-checkout': 'error' } as const;

interface Plugin extends ESLint.Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Record<string, Rule.RuleModule>;
  readonly configs: { readonly recommended: Linter.Config; readonly 'transaction-pooling': Linter.Config };
}

/** The plugin object of ESLint and oxlint. Its presets are flat configurations. */
const plugin: Plugin = {
  meta: { name: manifest.name, version: manifest.version, namespace: 'poolguard' },
  rules,
  configs: {
    get recommended() {
      return preset('recommended', { ...bugs, 'no-external-await-while-holding': 'warn', 'no-session-state': 'warn' });
    },
    get 'transaction-pooling'() {
      const settings = { poolguard: { pooler: { kind: 'pgbouncer', mode: 'transaction' } } };
      return { ...preset('transaction-pooling', { ...bugs, 'no-external-await-while-holding': 'warn', 'no-session-state': 'error' }), settings };
    },
  },
};

function preset(name: string, severities: Readonly<Record<string, Linter.RuleSeverity>>): Linter.Config {
  return {
    name: `poolguard/${name}`,
    plugins: { poolguard: plugin },
    rules: Object.fromEntries(Object.entries(severities).map(([id, severity]) => [`poolguard/${id}`, severity])),
  };
}

export default plugin;
