import pg from 'pg';

export interface ApplicationClients {
  /** Connects as an application of that name. */
  connect(name: string, url?: string): Promise<pg.Client>;
  /** So many at once, all of one name. */
  connectMany(name: string, count: number): Promise<readonly pg.Client[]>;
  endAll(): Promise<void>;
}

/** Real clients of one database, which a server may throw out at any time. */
export function createApplicationClients(defaultUrl: () => string): ApplicationClients {
  const clients: pg.Client[] = [];
  const connect: ApplicationClients['connect'] = async (name, url = defaultUrl()) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };
  return {
    connect,
    async connectMany(name, count) {
      const made: pg.Client[] = [];
      while (made.length < count)
        made.push(
          ...(await Promise.all(
            Array.from({ length: Math.min(20, count - made.length) }, () => connect(name)),
          )),
        );
      return made;
    },
    endAll: async () =>
      void (await Promise.all(
        clients.splice(0).map((client) => client.end().catch(() => undefined)),
      )),
  };
}
