import type pg from 'pg';
import type { HostileServer } from '../hostile-server.ts';
import type { Path, Place } from '../places.ts';

/** What a job is done with. */
export interface Workplace extends AsyncDisposable {
  readonly server: HostileServer;
  readonly place: Place;
  readonly url: string;
}

/** Something that Poolguard does with a database. */
export interface Job {
  readonly name: string;
  /** Where it can be done at all; everywhere when not said. */
  readonly paths?: readonly Path[];
  /** Rejects when it was not done. */
  readonly run: (work: Workplace) => Promise<void>;
}

/** A place with two sessions of an application: one holds a transaction open, the other runs a statement that may be ended. */
export async function openWorkplace(server: HostileServer, place: Place): Promise<Workplace> {
  const holder = await server.connect('app', 'shop-holder');
  const runner = await server.connect('app', 'shop-runner');
  // A writer that is serializable keeps everybody waiting who reads so and may defer, which the owner has made the default.
  await holder.query(
    `BEGIN ISOLATION LEVEL SERIALIZABLE; UPDATE public.orders SET city = 'Bergen' WHERE id OPERATOR(pg_catalog.=) 1`,
  );
  const running = runner.query('SELECT pg_catalog.pg_sleep(600)').catch(() => undefined);
  return {
    server,
    place,
    url: server.url(place),
    [Symbol.asyncDispose]: async () => {
      await holder.end();
      await endRunner(server, runner);
      await running;
    },
  };
}

/** It may have been ended before. */
async function endRunner({ admin }: HostileServer, runner: pg.Client): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shop-runner'`,
  );
  await runner.end().catch(() => undefined);
}
