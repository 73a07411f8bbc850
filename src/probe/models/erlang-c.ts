/** A line before `clients` places: random arrivals, random times in a place (M/M/c). Times in milliseconds. */
export interface Line {
  /** Clients in use on average: rate × hold time. Below 1, or the line grows for ever. */
  readonly utilisation: number;
  /** Share of the requests that find no free client. */
  readonly waitingShare: number;
  readonly averageWaitMs: number;
}

/**
 * What stands before a pool of `clients` when requests come at random, `offered` clients' worth of work at a time (rate × hold time). Null when the line grows for ever.
 *
 * Erlang's C by way of his B, whose recursion B(n) = aB(n−1) / (n + aB(n−1)) needs no factorials.
 */
export function erlangC(clients: number, offered: number, holdMs: number): Line | null {
  if (offered >= clients) return null;
  const blocked = erlangB(clients, offered);
  const utilisation = offered / clients;
  const waitingShare = blocked / (1 - utilisation * (1 - blocked));
  return {
    utilisation,
    waitingShare,
    averageWaitMs: (waitingShare * holdMs) / (clients - offered),
  };
}

/** Share of the requests that are turned away where nobody may wait. */
export function erlangB(clients: number, offered: number): number {
  let blocked = 1;
  for (let place = 1; place <= clients; place += 1)
    blocked = (offered * blocked) / (place + offered * blocked);
  return blocked;
}

export interface WaitTarget {
  /** Share of the requests that must not wait longer, for example 0.95. */
  readonly share: number;
  readonly waitMs: number;
}

/** Beyond this nobody runs a pool. */
const mostClients = 10_000;

/** The fewest clients with which a share of the requests waits no longer than a time: P(wait > t) = C e^(−(c − a) t / hold). Null when even 10,000 do not. */
export function fewestClients(
  offered: number,
  holdMs: number,
  { share, waitMs }: WaitTarget,
): number | null {
  for (let clients = Math.floor(offered) + 1; clients <= mostClients; clients += 1) {
    const line = erlangC(clients, offered, holdMs);
    if (
      line !== null &&
      line.waitingShare * Math.exp((-(clients - offered) * waitMs) / holdMs) <= 1 - share
    )
      return clients;
  }
  return null;
}

/** Square-root staffing: the work that there is, and `safety` standard deviations of it (Halfin and Whitt 1981). */
export function squareRootStaffing(offered: number, safety: number): number {
  return Math.ceil(offered + safety * Math.sqrt(offered));
}
