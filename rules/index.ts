import type { ESLint, Linter } from 'eslint';
import manifest from './package.json' with { type: 'json' };
import type { PoolguardRule, PresetName } from './create-rule.ts';
import noAccidentalDestroy from './no-accidental-destroy.ts';
import noConcurrentClientQuery from './no-concurrent-client-query.ts';
import noDoubleRelease from './no-double-release.ts';
import noEndPooledClient from './no-end-pooled-client.ts';
import noExternalAwaitWhileHolding from './no-external-await-while-holding.ts';
import noListenerLeak from './no-listener-leak.ts';
import noNestedCheckout from './no-nested-checkout.ts';
import noPoolPerRequest from './no-pool-per-request.ts';
import noPoolerIncompatible from './no-pooler-incompatible.ts';
import noOpenTransactionRelease from './no-open-transaction-release.ts';
import noSessionState from './no-session-state.ts';
import noSwallowedRollbackError from './no-swallowed-rollback-error.ts';
import noTransactionOnPool from './no-transaction-on-pool.ts';
import noUnreleasedClient from './no-unreleased-client.ts';
import noUseAfterRelease from './no-use-after-release.ts';
import preferPoolQuery from './prefer-pool-query.ts';
import requireConnectionTimeout from './require-connection-timeout.ts';
import requirePoolErrorHandler from './require-pool-error-handler.ts';

export { findingsOf } from './checks/analyse.ts';
export type { Edit } from './fixes/suggestion.ts';
export type { Finding, PathStep } from './checks/finding.ts';
export type { Place } from './syntax/place.ts';
export type { HeldSpan, HeldStatement, LineRange, SlowAwait } from './lenses/held-span.ts';
export { heldSpansOf, poolEdits, poolsOf, queriesOf, statementsOf } from './lenses/inspect.ts';
export type { WrittenQuery } from './lenses/written-query.ts';
export type { WrittenStatement } from './lenses/written-statement.ts';
export type {
  DeclaredPool,
  PoolOption,
  PoolOptionName,
  PoolValues,
} from './values/pools/declared-pool.ts';

const rules: Readonly<Record<string, PoolguardRule>> = {
  'no-accidental-destroy': noAccidentalDestroy,
  'no-concurrent-client-query': noConcurrentClientQuery,
  'no-double-release': noDoubleRelease,
  'no-end-pooled-client': noEndPooledClient,
  'no-external-await-while-holding': noExternalAwaitWhileHolding,
  'no-listener-leak': noListenerLeak,
  'no-nested-checkout': noNestedCheckout,
  'no-pool-per-request': noPoolPerRequest,
  'no-pooler-incompatible': noPoolerIncompatible,
  'no-open-transaction-release': noOpenTransactionRelease,
  'no-session-state': noSessionState,
  'no-swallowed-rollback-error': noSwallowedRollbackError,
  'no-transaction-on-pool': noTransactionOnPool,
  'no-unreleased-client': noUnreleasedClient,
  'no-use-after-release': noUseAfterRelease,
  'prefer-pool-query': preferPoolQuery,
  'require-connection-timeout': requireConnectionTimeout,
  'require-pool-error-handler': requirePoolErrorHandler,
};

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
