import { trapMark } from '../traps/notes.ts';

/** One way in which a statement of somebody else's runs code of an owner's. */
export interface OwnedWay {
  /** Also what its code writes into the server's log. */
  readonly name: string;
  /** Who makes it; mallory when not said. */
  readonly by?: string;
  /** What is made beforehand. */
  readonly setup: (note: Note) => readonly string[];
  /** What the victim runs, and would probe. */
  readonly statement: string;
  /** The victim says `--allow-writes`: probed directly, in a transaction that is rolled back. */
  readonly writes?: true;
  /** What another client has left on the backend that a pooler lends. */
  readonly left?: string;
  /** Runs at each login, so before anybody can ask: for every connection once, and never after it. */
  readonly atLogin?: true;
  /** First version of PostgreSQL that knows it. */
  readonly since?: number;
  /** Last version that does. */
  readonly until?: number;
}

/** Attributes and body of a function in PL/pgSQL that notes its call and returns that value. */
export type Note = (value: string) => string;

export function noteOf(way: string): Note {
  return (value) => `LANGUAGE plpgsql AS $f$ BEGIN ${noteCall(way)}; RETURN ${value}; END $f$`;
}

/** A note goes to the server's log: neither a read-only transaction nor a rollback takes it back. */
export function noteCall(way: string): string {
  return `RAISE LOG '${trapMark}: ${way} ran as %', current_user`;
}

/** Whose call the log has noted; null for an entry that is no such note. */
export function readNote(text: string): string | null {
  return new RegExp(`^${trapMark}: (.*) ran as `).exec(text)?.[1] ?? null;
}

export function isKnownTo(
  major: number,
  { since = 0, until = Infinity }: { readonly since?: number; readonly until?: number },
): boolean {
  return major >= since && major <= until;
}
