import type { Node, CallNode } from '../syntax/node.ts';
import type { SessionLog } from './session-log.ts';
import type { Fact } from './facts.ts';
import { sitesOf } from './leftovers.ts';

/** What was seen of one client on any path, for judges that ask about places and not about paths. */
export interface CheckoutRecord {
  /** Where the client is released. */
  readonly releaseSites: ReadonlySet<Node>;
  /** Calls that would release the client if they were sent: `trx.commit()` of Kysely without `.execute()`. */
  readonly unsentReleases: ReadonlySet<Node>;
  /** Calls that lend the client to code that cannot be seen into, by themselves or inside of a helper. */
  readonly lends: ReadonlySet<Node>;
  /** Queries that nobody had waited for when their client was released, with that release. */
  readonly unsettledReleases: ReadonlyMap<CallNode, Node>;
  /** Queries that were started while another one ran, with that other one. */
  readonly overlaps: ReadonlyMap<CallNode, CallNode>;
  /** Calls of `client.on()` whose listener is still there at a release that keeps the connection, with that release. */
  readonly listeningReleases: ReadonlyMap<CallNode, Node>;
  /** Listeners that release the client once its connection is lost, with the first release that keeps the connection while they are there. */
  readonly owningListeners: ReadonlyMap<CallNode, Node | undefined>;
  /** Releases of a client whose connection the program has closed before. */
  readonly endedReleases: ReadonlySet<Node>;
  /** Releases that keep the connection. */
  readonly keptSites: ReadonlySet<Node>;
  /** What the client is assigned to that outlives its function: `this.client`. */
  readonly storedIn: ReadonlySet<Node>;
}

/** Writes that record while a client is followed. */
export interface CheckoutLog {
  readonly record: CheckoutRecord;
  /** `isKept` when the connection goes back to the pool and is not closed. */
  onRelease(fact: Fact, site: Node, isKept: boolean): void;
  /** What would release the client only builds that, and nobody sends it. */
  onUnsentRelease(call: Node): void;
  /** A query is started while another one that was started before has not been waited for. */
  onOverlap(query: CallNode, before: CallNode): void;
  /** A call lends the client to code that cannot be seen into. */
  onLend(call: Node): void;
  /** A listener releases the client once its connection is lost. */
  onOwner(listener: CallNode): void;
  /** The client is assigned to what outlives its function. */
  onStore(target: Node): void;
}

export function createCheckoutLog(session: SessionLog): CheckoutLog {
  const releaseSites = new Set<Node>();
  const keptSites = new Set<Node>();
  const endedReleases = new Set<Node>();
  const unsentReleases = new Set<Node>();
  const lends = new Set<Node>();
  const storedIn = new Set<Node>();
  const unsettledReleases = new Map<CallNode, Node>();
  const listeningReleases = new Map<CallNode, Node>();
  const owningListeners = new Map<CallNode, Node | undefined>();
  const overlaps = new Map<CallNode, CallNode>();
  return {
    record: {
      releaseSites,
      keptSites,
      storedIn,
      endedReleases,
      unsentReleases,
      lends,
      unsettledReleases,
      listeningReleases,
      owningListeners,
      overlaps,
    },
    onRelease(fact, site, isKept) {
      releaseSites.add(site);
      if (isKept) {
        keptSites.add(site);
        session.onKeptRelease(fact, site);
      }
      if (fact.followsImplicitThrow) return;
      for (const query of sitesOf(fact, 'in flight'))
        noteFirst(unsettledReleases, session.siteAt(query)?.call, site);
      if (fact.isEnded) endedReleases.add(site);
      if (!isKept) return;
      for (const listener of sitesOf(fact, 'listening'))
        noteFirst(listeningReleases, session.siteAt(listener)?.call, site);
      for (const owner of sitesOf(fact, 'owned by listener'))
        noteFirst(owningListeners, session.siteAt(owner)?.call, site);
    },
    onOverlap(query, before) {
      noteFirst(overlaps, query, before);
    },
    onUnsentRelease: (call) => void unsentReleases.add(call),
    onLend: (call) => void lends.add(call),
    onOwner(listener) {
      if (!owningListeners.has(listener)) owningListeners.set(listener, undefined);
    },
    onStore: (target) => void storedIn.add(target),
  };
}

/** The first in the text, in whatever order ways are walked. */
function noteFirst<Seen extends Node | undefined>(
  seen: Map<CallNode, Seen>,
  call: CallNode | undefined,
  what: Seen & Node,
): void {
  if (call === undefined) return;
  const known = seen.get(call);
  if (known === undefined || what.range[0] < known.range[0]) seen.set(call, what);
}
