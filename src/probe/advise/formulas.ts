import type { Advice, ObservedLoad, StartingGuess } from './advice.ts';

/** What formulas ask for; null for what nobody knows, which leaves out the formulas that need it. */
export interface AdviceInput {
  /** Of the machine that PostgreSQL runs on. */
  readonly serverCores: number | null;
  /** Of the machine that the application runs on. */
  readonly applicationCores: number | null;
  /** What ordinary roles may use: `max_connections` without the reserved slots. */
  readonly connections: number | null;
  /** Pools of the application that share the server. */
  readonly pools: number;
  readonly demand: Demand | null;
  readonly observed: ObservedLoad | null;
}

/** Of one pool. Times in milliseconds. */
export interface Demand {
  /** How long a request holds its client, not how long its statement runs. */
  readonly holdMs: number;
  readonly users: number | null;
  /** Requests per second at the peak. */
  readonly rate: number | null;
}

/** What formulas of the field answer. None of them has seen the statement: starting guesses, for comparison with what was measured. */
export function adviseBy(input: AdviceInput): Advice {
  return { guesses: formulas.flatMap((formula) => formula(input) ?? []), observed: input.observed };
}

type Formula = (input: AdviceInput) => StartingGuess | null;

/** A formula of nothing but the cores of one of the machines. */
function byCores(
  machine: 'serverCores' | 'applicationCores',
  guess: (cores: number) => StartingGuess,
): Formula {
  return ({ [machine]: cores }) => (cores === null ? null : guess(cores));
}

const formulas: readonly Formula[] = [
  () => ({
    name: 'node-postgres',
    arithmetic: 'its default',
    size: [10, 10],
    source: 'https://node-postgres.com/apis/pool',
  }),
  byCores('serverCores', (cores) => ({
    name: 'HikariCP, PostgreSQL wiki',
    arithmetic: `2 × ${cores} cores + 0 to 1 disk`,
    size: [2 * cores, 2 * cores + 1],
    source: 'https://github.com/brettwooldridge/HikariCP/wiki/About-Pool-Sizing',
  })),
  byCores('serverCores', (cores) => ({
    name: 'Grittner 2022',
    arithmetic: `4 × ${cores} cores + 0 to 1 disk`,
    size: [4 * cores, 4 * cores + 1],
    source: 'https://wiki.postgresql.org/wiki/Number_Of_Database_Connections',
  })),
  byCores('serverCores', (cores) => ({
    name: 'Smith, PostgreSQL High Performance',
    arithmetic: `2 to 3 × ${cores} cores`,
    size: [2 * cores, 3 * cores],
    source: 'G. Smith, PostgreSQL 9.0 High Performance (2010)',
  })),
  byCores('applicationCores', (cores) => ({
    name: 'Prisma',
    arithmetic: `2 × ${cores} cores of the application's machine + 1`,
    size: [2 * cores + 1, 2 * cores + 1],
    source:
      'https://www.prisma.io/docs/orm/prisma-client/setup-and-configuration/databases-connections/connection-pool',
  })),
  half,
  littlesLaw,
  ({ demand }) => {
    const { rate = null, holdMs = 0 } = demand ?? {};
    if (rate === null) return null;
    const { clients, text } = offered(rate, holdMs);
    return {
      name: 'Square-root staffing',
      arithmetic: `${text}, and twice its root`,
      size: [squareRootStaffing(clients, 1), squareRootStaffing(clients, 2)],
      source: 'Halfin and Whitt, Operations Research 29 (1981)',
    };
  },
  ({ demand }) => {
    const { users = null, holdMs = 0 } = demand ?? {};
    if (users === null) return null;
    const size = Math.ceil((users * holdMs * 1.2) / 1000);
    return {
      name: 'Users × hold time',
      arithmetic: `${users} users × ${holdMs} ms / 1000 × 1.2, as if each asked once a second`,
      size: [size, size],
      source: 'a rule of thumb in field reports',
    };
  },
  ({ serverCores: cores, observed, connections }) => {
    if (cores === null || observed === null || observed.busyShare <= 0) return null;
    const size = Math.min(connections ?? Infinity, Math.ceil(cores / observed.busyShare));
    return {
      name: 'Cybertec, observed',
      arithmetic: `${cores} cores / ${observed.busyShare.toFixed(2)} of the time in transactions spent in statements, for all pools together`,
      size: [size, size],
      source:
        'https://www.cybertec-postgresql.com/en/estimating-connection-pool-size-with-postgresql-database-statistics/',
    };
  },
];

/** DigitalOcean's advice for its managed pools. */
function half({ connections, pools }: AdviceInput): StartingGuess | null {
  if (connections === null) return null;
  const size = Math.max(1, Math.floor(connections / 2 / pools));
  return {
    name: 'Half of what there is',
    arithmetic: `${connections} connections / 2${pools === 1 ? '' : ` / ${pools} pools`}`,
    size: [size, size],
    source:
      'https://docs.digitalocean.com/products/databases/postgresql/how-to/manage-connection-pools/',
  };
}

/** Few requests may wait longer than they work. */
const waitShare = 0.95;

function littlesLaw({ demand }: AdviceInput): StartingGuess | null {
  const { rate = null, holdMs = 0 } = demand ?? {};
  if (rate === null) return null;
  const { clients, text } = offered(rate, holdMs);
  const least = Math.floor(clients) + 1;
  const comfortable = fewestClients(clients, holdMs, { share: waitShare, waitMs: holdMs }) ?? least;
  return {
    name: "Little's law, Erlang C",
    arithmetic: `${text}; the larger number keeps the wait of 95 % below ${holdMs} ms`,
    size: [least, comfortable],
    source: 'https://en.wikipedia.org/wiki/Erlang_(unit)#Erlang_C_formula',
  };
}

function offered(
  rate: number,
  holdMs: number,
): { readonly clients: number; readonly text: string } {
  const clients = Math.round(rate * holdMs) / 1000;
  return { clients, text: `${rate}/s × ${holdMs} ms = ${clients} clients at work` };
}

/**
 * Share of the requests that find no free client, where they come at random, `offered` clients' worth of work at a time (rate × hold time).
 *
 * Erlang's C by way of his B, whose recursion B(n) = aB(n−1) / (n + aB(n−1)) needs no factorials.
 */
export function erlangC(clients: number, offered: number): number {
  const blocked = erlangB(clients, offered);
  return blocked / (1 - (offered / clients) * (1 - blocked));
}

/** Share of the requests that are turned away where nobody may wait. */
export function erlangB(clients: number, offered: number): number {
  let blocked = 1;
  for (let place = 1; place <= clients; place += 1)
    blocked = (offered * blocked) / (place + offered * blocked);
  return blocked;
}

interface WaitTarget {
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
    const longer = Math.exp((-(clients - offered) * waitMs) / holdMs);
    if (erlangC(clients, offered) * longer <= 1 - share) return clients;
  }
  return null;
}

/** Square-root staffing: the work that there is, and `safety` standard deviations of it (Halfin and Whitt 1981). */
export function squareRootStaffing(offered: number, safety: number): number {
  return Math.ceil(offered + safety * Math.sqrt(offered));
}
