/**
 * Statements per second of `clients` connections that each take one of `stations` at random, as statements that each need one of k locks do:
 * X(N) = N / (N + k − 1) × k / hold, exact for times that are random (a balanced closed network). `holdMs` is the time in the station.
 */
export function balancedThroughput(clients: number, stations: number, holdMs: number): number {
  return ((clients / (clients + stations - 1)) * stations * 1000) / holdMs;
}

/** `users` who pause between requests. Times in milliseconds. */
export interface ClosedDemand {
  readonly users: number;
  readonly thinkMs: number;
  /** How long a request holds its client. */
  readonly holdMs: number;
}

/** Clients in use on average if there were always a free one: users × hold / (hold + think). */
export function clientsInUse({ users, thinkMs, holdMs }: ClosedDemand): number {
  return (users * holdMs) / (holdMs + thinkMs);
}

/** Upper bound of the requests per second: what users ask for without a line, and what the pool can do. */
export function throughputBound({ users, thinkMs, holdMs }: ClosedDemand, clients: number): number {
  return Math.min((users * 1000) / (holdMs + thinkMs), (clients * 1000) / holdMs);
}
