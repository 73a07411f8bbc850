import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import type { SessionEffect, StatementKind } from '../model/sql.ts';
import type { AccessPaths } from './access-paths.ts';
import type { Fact } from './facts.ts';
import { sitesOf } from './leftovers.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** What a call sends over a client or a pool. */
export interface Sent {
  readonly kinds: readonly StatementKind[];
  /** Inside of a helper: the query that leaves something behind, and the function that it stands in. */
  readonly source:
    | {
        readonly query: CallNode;
        readonly fn: FunctionNode;
        readonly file: SourceFile;
      }
    | undefined;
}

/** What a call sends over a client: as a query of its own, or inside of a helper that is given the client. Undefined when the client has no part in it. */
export type StatementsSent = (
  call: CallNode,
  file: SourceFile,
  driver: Driver,
  isClient: (node: Node) => boolean,
) => Sent | undefined;

/** A call on the client, or what is one effect of it. */
interface Site {
  readonly call: CallNode;
  readonly effect: SessionEffect | undefined;
}

/** The statements of one followed client, and where they were still in force when it was released. */
export interface SessionLog {
  /** What a query, or a helper that is given the client, sends. */
  statementsOf(call: CallNode, fact: Fact): readonly StatementKind[];
  /** A number for a call, or for one of its effects, to be kept in facts. */
  siteOf(call: CallNode, effect?: SessionEffect): number;
  /** What facts know by this number. */
  siteAt(site: number): Site | undefined;
  /** Remembers the call that takes the state of a site back. */
  onUndo(site: number, call: CallNode): void;
  /** Remembers what is in force at a release that keeps the connection. */
  onKeptRelease(fact: Fact, release: Node): void;
  /** Calls that send statements over the client, or that may: queries, and helpers that are given it. */
  readonly sent: ReadonlyMap<CallNode, Sent>;
  /** Sites whose session state some later call takes back, with that call. */
  readonly undos: ReadonlyMap<number, CallNode>;
  /** The sites whose session state was on the client at a release that keeps the connection. */
  readonly dirtyReleases: ReadonlyMap<number, Node>;
  /** Locks that were still taken at a release because the unlock had failed, with that release. */
  readonly lockedReleases: ReadonlyMap<number, Node>;
}

export function createSessionLog(
  file: SourceFile,
  accessPaths: AccessPaths,
  driver: Driver,
  statementsSent: StatementsSent,
): SessionLog {
  const sites: Site[] = [];
  const sent = new Map<CallNode, Sent>();
  const undos = new Map<number, CallNode>();
  const dirtyReleases = new Map<number, Node>();
  const lockedReleases = new Map<number, Node>();
  const note = (releases: Map<number, Node>, left: readonly number[], release: Node): void => {
    for (const site of left) releases.set(site, releases.get(site) ?? release);
  };
  return {
    statementsOf(call, fact) {
      const known =
        sent.get(call) ??
        statementsSent(call, file, driver, (node) => accessPaths.valueOf(node, fact) === 'client');
      if (known === undefined) return [];
      const kept = driver.database === 'postgresql' ? known : transactionsOnly(known);
      sent.set(call, kept);
      return kept.kinds;
    },
    siteOf(call, effect) {
      const known = sites.findIndex((each) => each.call === call && each.effect === effect);
      return known < 0 ? sites.push({ call, effect }) - 1 : known;
    },
    siteAt: (site) => sites[site],
    onUndo(site, call) {
      undos.set(site, call);
    },
    onKeptRelease(fact, release) {
      // What an open transaction may still take back is that transaction's matter.
      note(dirtyReleases, sitesOf(fact, 'lasting'), release);
      note(lockedReleases, sitesOf(fact, 'still locked'), release);
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
