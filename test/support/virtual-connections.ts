import type { ConnectionSource } from '../../src/probe/load/connection-source.ts';
import type { RandomSource } from '../../src/probe/random.ts';
import type { ServiceTime } from './queue-server.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface VirtualLenderOptions {
  readonly time: VirtualTime;
  readonly clients: number;
  readonly service: ServiceTime;
  readonly random: RandomSource;
  /** As `connectionTimeoutMillis`. */
  readonly waitLimitMs?: number;
  /** The n-th statement, from 1 on, fails with this. */
  readonly failing?: (statement: number) => Error | undefined;
}

/** A pool of clients under a clock of its own, first come first served, whose waits are known from queueing theory. */
export function createVirtualLender({
  time,
  clients,
  service,
  random,
  waitLimitMs = Infinity,
  failing = () => undefined,
}: VirtualLenderOptions): ConnectionSource {
  const line: (() => void)[] = [];
  let lent = 0;
  let statements = 0;
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const turn = () => {
        forget();
        resolve();
      };
      const forget =
        waitLimitMs === Infinity
          ? () => undefined
          : time.at(time.now() + waitLimitMs, () => {
              line.splice(line.indexOf(turn), 1);
              reject(new Error('timeout exceeded when trying to connect'));
            });
      line.push(turn);
    });
  return {
    showsWait: true,
    look: () => ({ total: clients, idle: clients - lent, waiting: line.length }),
    acquire: async () => {
      if (lent < clients) lent += 1;
      else await wait();
      return {
        run: async () => {
          statements += 1;
          const error = failing(statements);
          await new Promise<void>((resolve) =>
            time.at(time.now() + service(random, time.now()), resolve),
          );
          if (error !== undefined) throw error;
        },
        giveBack: () => {
          const next = line.shift();
          if (next === undefined) lent -= 1;
          else next();
        },
      };
    },
  };
}
