import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import type { Driver } from '../../model/drivers.ts';
import type { SessionEffect, StatementKind } from '../../model/sql.ts';
import type { Cells } from '../client/cells.ts';
import type { Fact } from '../client/facts.ts';
import { statementsSent, type Sent } from './helper-statements.ts';
import type { Resolver } from '../identity/resolver.ts';
import { stillLocked } from './notes.ts';
import type { SourceFile } from '../files/source-file.ts';

/** The statements of one followed client, and where they were still in force when it was released. */
export interface SessionLog {
  /** What a query, or a helper that is given the client, sends. */
  statementsOf(call: TSESTree.CallExpression, fact: Fact): readonly StatementKind[];
  /** A number for a call, to be kept in facts. */
  siteOf(call: TSESTree.CallExpression): number;
  /** The call that facts know by this number. */
  callAt(site: number): TSESTree.CallExpression | undefined;
  effectsAt(site: number): readonly SessionEffect[];
  /** Remembers the call that takes the state of a site back. */
  onUndo(site: number, call: TSESTree.CallExpression): void;
  /** Remembers what is in force at a release that keeps the connection. */
  onKeptRelease(fact: Fact, release: Node): void;
  /** Calls that send statements over the client, or that may: queries, and helpers that are given it. */
  readonly sent: ReadonlyMap<TSESTree.CallExpression, Sent>;
  /** Calls whose session state some later call takes back, with that call. */
  readonly undos: ReadonlyMap<TSESTree.CallExpression, TSESTree.CallExpression>;
  /** The query calls whose session state was on the client at a release that keeps the connection. */
  readonly dirtyReleases: ReadonlyMap<TSESTree.CallExpression, Node>;
  /** Locks that were still taken at a release because the unlock had failed, with that release. */
  readonly lockedReleases: ReadonlyMap<TSESTree.CallExpression, Node>;
}

export function createSessionLog(
  file: SourceFile,
  resolver: Resolver,
  cells: Cells,
  driver: Driver,
): SessionLog {
  const sites: TSESTree.CallExpression[] = [];
  const sent = new Map<TSESTree.CallExpression, Sent>();
  const undos = new Map<TSESTree.CallExpression, TSESTree.CallExpression>();
  const dirtyReleases = new Map<TSESTree.CallExpression, Node>();
  const lockedReleases = new Map<TSESTree.CallExpression, Node>();
  const note = (
    releases: Map<TSESTree.CallExpression, Node>,
    left: readonly number[],
    release: Node,
  ): void => {
    for (const call of left.flatMap((site) => sites[site] ?? []))
      releases.set(call, releases.get(call) ?? release);
  };
  return {
    statementsOf(call, fact) {
      const known =
        sent.get(call) ??
        statementsSent(
          call,
          file,
          resolver,
          driver,
          (node) => cells.valueOf(node, fact) === 'client',
        );
      if (known === undefined) return [];
      const kept = driver.database === 'postgresql' ? known : transactionsOnly(known);
      sent.set(call, kept);
      return kept.kinds;
    },
    siteOf(call) {
      if (!sites.includes(call)) sites.push(call);
      return sites.indexOf(call);
    },
    callAt: (site) => sites[site],
    effectsAt(site) {
      const call = sites[site];
      return call === undefined
        ? []
        : (sent.get(call)?.kinds ?? []).flatMap(({ effect }) => effect ?? []);
    },
    onUndo(site, call) {
      const undone = sites[site];
      if (undone !== undefined) undos.set(undone, call);
    },
    onKeptRelease(fact, release) {
      note(dirtyReleases, fact.dirty, release);
      note(lockedReleases, stillLocked(fact), release);
    },
    sent,
    undos,
    dirtyReleases,
    lockedReleases,
  };
}

/** What else a statement leaves behind is known of PostgreSQL alone. */
function transactionsOnly({ kinds }: Sent): Sent {
  return { kinds: kinds.map((kind) => ({ ...kind, effect: null, undoes: [] })), source: undefined };
}
