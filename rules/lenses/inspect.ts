import type { SourceCode } from 'eslint';
import { orElse } from '../checks/analyse.ts';
import type { Analysis } from '../checks/analysis.ts';
import { analysisOf } from '../checks/analysis-cache.ts';
import type { Edit } from '../fixes/suggestion.ts';
import type { HeldSpan } from './held-span.ts';
import { findHeldSpans } from './held-spans.ts';
import type { DeclaredPool, PoolValues } from '../values/pools/declared-pool.ts';
import { findDeclaredPools } from '../values/pools/declared-pools.ts';
import { editsForPool } from '../fixes/pool-edits.ts';
import { findStatements } from './find-statements.ts';
import { findQueries } from './find-queries.ts';
import { findRoutes } from './find-routes.ts';
import type { WrittenQuery } from './written-query.ts';
import type { WrittenRoute } from './written-route.ts';
import type { WrittenStatement } from './written-statement.ts';

// Caches, keyed by the source: nothing is found before somebody asks.
const spansBySource = new WeakMap<SourceCode, readonly HeldSpan[]>();
const poolsBySource = new WeakMap<SourceCode, readonly DeclaredPool[]>();
const statementsBySource = new WeakMap<SourceCode, readonly WrittenStatement[]>();
const routesBySource = new WeakMap<SourceCode, readonly WrittenRoute[]>();
const queriesBySource = new WeakMap<SourceCode, readonly WrittenQuery[]>();

/** Where each client of a source is held. A rule of this plugin has just been run on the source; empty for any other. */
export function heldSpansOf(sourceCode: SourceCode): readonly HeldSpan[] {
  const analysis = analysisIn(sourceCode);
  return analysis === undefined
    ? []
    : once(spansBySource, sourceCode, () => findHeldSpans(analysis));
}

/** The pools that a source makes with `new`. A rule of this plugin has just been run on the source; empty for any other. */
export function poolsOf(sourceCode: SourceCode): readonly DeclaredPool[] {
  const analysis = analysisIn(sourceCode);
  return analysis === undefined
    ? []
    : once(poolsBySource, sourceCode, () => findDeclaredPools(analysis.file, analysis.resolver));
}

/** The texts of SQL that a source sends or writes. A rule of this plugin has just been run on the source; empty for any other. */
export function statementsOf(sourceCode: SourceCode): readonly WrittenStatement[] {
  const analysis = analysisIn(sourceCode);
  return analysis === undefined
    ? []
    : once(statementsBySource, sourceCode, () => findStatements(analysis));
}

/** The queries that a source has libraries build. A rule of this plugin has just been run on the source; empty for any other. */
export function queriesOf(sourceCode: SourceCode): readonly WrittenQuery[] {
  const analysis = analysisIn(sourceCode);
  return analysis === undefined
    ? []
    : once(queriesBySource, sourceCode, () => findQueries(analysis));
}

/** The routes of a source with what their handlers send. A rule of this plugin has just been run on the source; empty for any other. */
export function routesOf(sourceCode: SourceCode): readonly WrittenRoute[] {
  const analysis = analysisIn(sourceCode);
  return analysis === undefined ? [] : once(routesBySource, sourceCode, () => findRoutes(analysis));
}

/** The edits that write `values` into the options of one of the source's pools, found by its place; undefined where that cannot be done safely. */
export function poolEdits(
  sourceCode: SourceCode,
  pool: DeclaredPool,
  values: PoolValues,
): readonly Edit[] | undefined {
  const analysis = analysisIn(sourceCode);
  return analysis === undefined
    ? undefined
    : orElse(sourceCode, undefined, () =>
        editsForPool(pool, values, analysis.file, analysis.resolver),
      );
}

function analysisIn(sourceCode: SourceCode): Analysis | undefined {
  return orElse(sourceCode, undefined, () => analysisOf(sourceCode));
}

function once<Found>(
  known: WeakMap<SourceCode, readonly Found[]>,
  sourceCode: SourceCode,
  find: () => readonly Found[],
): readonly Found[] {
  const before = known.get(sourceCode);
  if (before !== undefined) return before;
  const found = orElse(sourceCode, [], find);
  known.set(sourceCode, found);
  return found;
}
