import * as v from 'valibot';
import type { ConnectionTarget } from '../../database/target.ts';
import { soundOf, text, whole, type OutputOf } from '../../schema/fields.ts';

const mostConnections = 500;

const name = v.pipe(text, v.minLength(1));
const file = v.fallback(v.nullable(name), null);

const Target = v.object({
  host: name,
  port: whole(1, 65_535),
  database: name,
  user: name,
  tls: v.picklist(['off', 'verify', 'no-verify']),
  tlsChosenBy: v.fallback(
    v.picklist(['connection string', 'user', 'default']),
    'connection string',
  ),
  tlsFiles: v.fallback(v.object({ ca: file, cert: file, key: file }), {
    ca: null,
    cert: null,
    key: null,
  }),
}) satisfies v.GenericSchema<unknown, ConnectionTarget>;

/** Connections had no names once: those are called like their database. */
const Saved = v.pipe(
  v.record(text, v.unknown()),
  v.transform((kept) => ('target' in kept ? kept : { target: kept })),
  v.object({ name: v.fallback(name, ''), target: Target }),
  v.transform(({ name, target }) => ({ name: name || target.database, target })),
);
/** A connection that a user made, as it is kept: without its password. */
export type SavedConnection = OutputOf<typeof Saved>;

const SavedState = v.fallback(soundOf(Saved, mostConnections), []);

/** Reads what the editor kept. What cannot be read, since another version wrote it or something broke it, is left out. */
export function readSavedState(raw: unknown): readonly SavedConnection[] {
  return v.parse(SavedState, raw);
}
