import type { Team } from './teams.ts';

/** What grows while a program is printed. */
export interface Printing {
  readonly team: Team;
  /** The number of acquires so far; the n-th checks out of `pool<n>`, which tells them apart. */
  sites: number;
  names: number;
  /** Functions beside the one in question, by name. */
  readonly helpers: Map<string, string>;
  /** Sites whose client the program itself releases somewhere. */
  readonly released: Set<number>;
  /** Sites whose client was lent to a function. */
  readonly lent: Set<number>;
  /** Sites whose client is used or released in a callback, or in a chain that nobody waits for. */
  readonly detached: Set<number>;
  /** Sites whose client is released under a test that may let it happen only once. */
  readonly doubtful: Set<number>;
  /** Sites whose client is sent the end of a transaction. */
  readonly ended: Set<number>;
  /** Sites of which some way only ends the transaction. */
  readonly endedBehindTest: Set<number>;
  /** For each site whose client took the place of another in a variable, the site of that variable. */
  readonly filledInto: Map<number, number>;
  /** Sites whose pool is asked for a second client on purpose. */
  readonly nested: Set<number>;
  /** Sites whose client an object carries. */
  readonly carried: Set<number>;
  /** Sites whose client is given to functions that release it on some way. */
  readonly trusted: Set<number>;
  /** Sites whose client is in sight of a function that another function gets. */
  readonly captured: Set<number>;
}

export type Lines = readonly string[];

export function createPrinting(team: Team): Printing {
  return {
    team,
    nested: new Set(),
    carried: new Set(),
    trusted: new Set(),
    sites: 0,
    names: 0,
    helpers: new Map(),
    released: new Set(),
    lent: new Set(),
    detached: new Set(),
    doubtful: new Set(),
    captured: new Set(),
    ended: new Set(),
    endedBehindTest: new Set(),
    filledInto: new Map(),
  };
}

export function freshName(stem: string, printing: Printing): string {
  return `${stem}${++printing.names}`;
}

export function indent(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`);
}

export function block(head: string, body: Lines, tail = '}'): Lines {
  return [`${head} {`, ...indent(body), tail];
}

/** `try { … } catch { … } finally { … }`, of which one of the last two may be left out. */
export function tryBlock(
  body: Lines,
  handler: { readonly head: string; readonly body: Lines } | null,
  finalizer: Lines | null,
): Lines {
  return [
    ...block('try', body, handler === null && finalizer === null ? '} finally {}' : '}'),
    ...(handler === null ? [] : block(handler.head, handler.body)),
    ...(finalizer === null ? [] : block('finally', finalizer)),
  ];
}

const sharedHelpers = {
  giveBack: 'function giveBack(client) { client.release(); }',
  giveBackUnless: 'function giveBackUnless(client, keep) { if (!keep) client.release(); }',
  giveBackLater:
    "async function giveBackLater(client) { try { await client.query('ROLLBACK'); } finally { client.release(); } }",
  giveBackAtLast:
    "async function giveBackAtLast(client) { await client.query('ROLLBACK'); client.release(); }",
  use: "async function use(client) { await client.query('SELECT 2'); }",
  useOrThrow:
    "async function useOrThrow(client) { if (check()) throw new Error('thrown'); await client.query('SELECT 2'); }",
  look: 'function look(client) { log(client); }',
} as const;

/** The name of a helper, whose text is added to the program. */
export function helper(name: keyof typeof sharedHelpers, printing: Printing): string {
  printing.helpers.set(name, sharedHelpers[name]);
  return name;
}
