import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Sample } from '../sample.ts';
import { callsOf, schema } from './drizzle.ts';

export const drizzleOnPostgresJs: Sample = {
  module: 'drizzle-orm/postgres-js',
  open(url, { max }) {
    const client = postgres(url, { max });
    return { ...callsOf(drizzle(client, { schema })), end: () => client.end() };
  },
};
