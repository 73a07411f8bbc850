import type { DatabaseSession, QueryAnswer } from '../../src/database/session.ts';
import type { RandomSource } from '../../src/probe/random.ts';
import type { BackendState } from '../../src/database/probe-server.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How long a statement holds its place, in milliseconds. */
export type ServiceTime = (random: RandomSource, now: number) => number;

export const constant =
  (ms: number): ServiceTime =>
  () =>
    ms;
export const exponential =
  (meanMs: number): ServiceTime =>
  (random) =>
    -meanMs * Math.log(1 - random());
/** Between two moments every statement takes `factor` times as long: somebody's report runs, a cache is cold. */
export const slowedBetween =
  (from: number, to: number, factor: number, service: ServiceTime): ServiceTime =>
  (random, now) =>
    service(random, now) * (now >= from && now < to ? factor : 1);

export interface QueueServerOptions {
  readonly time: VirtualTime;
  readonly random: RandomSource;
  /** Statements that run at once, at each station; Infinity for a server that nothing keeps waiting. */
  readonly places: number;
  readonly service: ServiceTime;
  /** Lines to stand in: each statement picks one at random, as it would one of several locks. 1 when not said. */
  readonly stations?: number;
  /** On the network, both ways together. */
  readonly roundTripMs?: number;
  /** What a statement in line waits for; it waits for nothing by name, as for a CPU, when not said. */
  readonly waitsFor?: { readonly type: string; readonly event: string };
  /** What a statement in its place waits for, as one that sleeps does. */
  readonly runsIn?: { readonly type: string; readonly event: string };
}

export interface QueueServer {
  /** A connection of its own. It takes one statement at a time; further ones wait in it, as in the driver. */
  connect(): Pick<DatabaseSession, 'run' | 'settle'>;
  /** As `pg_stat_activity` would show all backends. */
  look(): readonly BackendState[];
  readonly inLine: number;
  readonly inPlace: number;
  readonly served: number;
}

interface Station {
  running: number;
  readonly line: (() => void)[];
}

/** A server of `places` places and a line before them, first come first served, under a clock of its own: what it does is known from queueing theory. */
export function createQueueServer({
  time,
  random,
  places,
  service,
  stations: count = 1,
  roundTripMs = 0,
  waitsFor,
  runsIn,
}: QueueServerOptions): QueueServer {
  const stations = Array.from({ length: count }, (): Station => ({ running: 0, line: [] }));
  let served = 0;
  const total = (read: (station: Station) => number) =>
    stations.reduce((sum, station) => sum + read(station), 0);

  const begin = (station: Station, answer: () => void) => {
    station.running += 1;
    time.at(time.now() + service(random, time.now()), () => {
      station.running -= 1;
      served += 1;
      station.line.shift()?.();
      time.at(time.now() + roundTripMs / 2, answer);
    });
  };
  const arrive = (answer: () => void) => {
    const station = stations[Math.floor(random() * count)];
    if (station === undefined) return;
    if (station.running < places) begin(station, answer);
    else station.line.push(() => begin(station, answer));
  };

  return {
    connect: () => {
      let previous: Promise<unknown> = Promise.resolve();
      return {
        run: <Row>(): Promise<QueryAnswer<Row>> => {
          const answer = previous.then(
            () =>
              new Promise<void>((resolve) =>
                time.at(time.now() + roundTripMs / 2, () => arrive(resolve)),
              ),
          );
          previous = answer;
          return answer.then(() => ({ kind: 'rows', rows: [] }));
        },
        settle: () => Promise.resolve(),
      };
    },
    look: () =>
      [
        toState(
          total(({ running }) => running),
          runsIn,
        ),
        toState(
          total(({ line }) => line.length),
          waitsFor,
        ),
      ].filter(({ pids }) => pids.length > 0),
    get inLine() {
      return total(({ line }) => line.length);
    },
    get inPlace() {
      return total(({ running }) => running);
    },
    get served() {
      return served;
    },
  };
}

function toState(
  count: number,
  wait: { readonly type: string; readonly event: string } | undefined,
): BackendState {
  return {
    type: wait?.type ?? null,
    event: wait?.event ?? null,
    pids: Array.from({ length: count }, () => 1),
  };
}
