import { analysisIn, findingsIn } from './checks/judge.ts';
import type { Analysis } from './checks/analysis.ts';
import type { Finding } from './checks/finding.ts';
import { debugging } from './checks/debugging.ts';
import { findUnknownSettings, readSettings } from './checks/session/pooler-setting.ts';
import { type Verdict, verdictsOn } from './checks/verdicts.ts';
import { editsForPool } from './fixes/pool-edits.ts';
import type { Edit } from './fixes/suggestion.ts';
import { findQueries } from './lenses/find-queries.ts';
import { findRoutes } from './lenses/find-routes.ts';
import { findStatements } from './lenses/find-statements.ts';
import type { HeldSpan } from './lenses/held-span.ts';
import { findHeldSpans } from './lenses/held-spans.ts';
import type { WrittenQuery } from './lenses/written-query.ts';
import type { WrittenRoute } from './lenses/written-route.ts';
import type { WrittenStatement } from './lenses/written-statement.ts';
import { reachesPool } from './project/leads-to-pool.ts';
import type { Modules } from './project/modules.ts';
import type { SourceFile } from './syntax/source-file.ts';
import type { DeclaredPool, PoolValues } from './values/pools/declared-pool.ts';
import { findDeclaredPools } from './values/pools/declared-pools.ts';

/** What is known of one file. Each part is found when first asked for, and is empty where the analysis fails. */
export interface FileAnalysis {
  /** With their paths, of all rules, whatever their options. */
  findings(): readonly Finding[];
  /** Where each client is held. */
  spans(): readonly HeldSpan[];
  /** The pools that the file makes with `new`. */
  pools(): readonly DeclaredPool[];
  /** The texts of SQL that it sends or writes. */
  statements(): readonly WrittenStatement[];
  /** The queries that it has libraries build. */
  queries(): readonly WrittenQuery[];
  /** Its routes, with what their handlers send. */
  routes(): readonly WrittenRoute[];
  /** What became of each client that is acquired, and why nothing is said of it where that is so. */
  verdicts(): readonly Verdict[];
  /** The edits that write `values` into the options of one of its pools, found by its place; undefined where that cannot be done safely. */
  poolEdits(pool: DeclaredPool, values: PoolValues): readonly Edit[] | undefined;
  /** What the analysis failed with first; undefined where it has not so far. */
  mistake(): unknown;
}

/**
 * The one way into the analysis: of a file, in a program, with what is written as `settings.poolguard`. A bug in the analysis never
 * reaches the caller, to whom the file then counts as unknown, except with `POOLGUARD_DEBUG`.
 */
export function analyse(file: SourceFile, program: Modules, settings: unknown): FileAnalysis {
  let mistake: unknown;
  const orElse = <Found>(unknown: Found, find: () => Found): Found => {
    try {
      return find();
    } catch (thrown) {
      if (debugging() !== undefined) throw thrown;
      mistake ??= thrown;
      return unknown;
    }
  };
  const reader = once(() => program.readerFor(file));
  const known = once(() => readSettings(settings));
  const analysis = once(() => analysisIn(file, reader(), known()));
  const list = <Found>(find: (analysis: Analysis) => readonly Found[]) =>
    once(() => orElse<readonly Found[]>([], () => find(analysis())));
  return {
    // A file that leads to no pool is not followed.
    findings: once(() =>
      orElse<readonly Finding[]>([], () =>
        reachesPool(file, reader()) ? findingsIn(analysis()) : findUnknownSettings(known()),
      ),
    ),
    spans: list(findHeldSpans),
    pools: list(({ file: analysed, resolver }) => findDeclaredPools(analysed, resolver)),
    statements: list(findStatements),
    queries: list(findQueries),
    routes: list(findRoutes),
    verdicts: list((known) => verdictsOn([...known.checkouts, ...known.borrowed], known)),
    poolEdits: (pool, values) =>
      orElse(undefined, () => editsForPool(pool, values, file, analysis().resolver)),
    mistake: () => mistake,
  };
}

function once<Found>(find: () => Found): () => Found {
  let found: { readonly value: Found } | undefined;
  return () => (found ??= { value: find() }).value;
}
