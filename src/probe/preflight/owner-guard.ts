import { toPlainText, toShortText } from '../../activity/plain-text.ts';
import { type CodeOwner, readCodeOwners } from '../../database/read-code-owners.ts';
import type { Asker } from '../../database/session.ts';
import { type RefusedOwner, type Refusal, refuse } from '../refusal.ts';
import { toShellWord } from '../../text/shell-word.ts';
import type { CommonRequest } from '../request.ts';
import { counted } from '../verdict-words.ts';

/** Whose code the statements may run, all of it trusted, and what to say of that. */
export interface TrustedOwners {
  readonly kind: 'trusted';
  /** Rising. */
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

type Asked = Pick<CommonRequest, 'workload' | 'allowWrites' | 'trustOwners'>;

/**
 * Refuses statements while a role that the user did not name owns anything that they could run. This is the wall of a
 * probe: it does not ask what the statements call, since PostgreSQL calls code in more ways than a look at them finds.
 * To be asked before the server gets to see a statement. The stand-in names nothing that another role could make.
 */
export async function checkOwners(
  session: Asker,
  { workload, allowWrites, trustOwners }: Asked,
): Promise<TrustedOwners | Refusal> {
  if (workload.kind === 'stand-in') return { kind: 'trusted', names: [], notes: [] };
  const answer = await readCodeOwners(session, allowWrites);
  return answer.kind === 'failed'
    ? refuse(
        `Who owns code in this database cannot be read, so no statement is run. ${answer.failure.sentence}`,
      )
    : judgeOwners(answer.rows, trustOwners);
}

function judgeOwners(
  owners: readonly CodeOwner[],
  trusted: readonly string[],
): TrustedOwners | Refusal {
  const all = owners.map(toRefused);
  const refused = all.filter(({ name }) => !trusted.includes(name));
  if (refused.length > 0) return { ...refuse(describeRefused(refused)), owners: refused };
  return {
    kind: 'trusted',
    names: all.map(({ name }) => name).sort(),
    notes:
      all.length === 0
        ? []
        : [`Statements may run code of owners whom you trust: ${listOwners(all)}.`],
  };
}

function toRefused(owner: CodeOwner): RefusedOwner {
  return { name: trustedAs(owner), owns: describeOwned(owner) };
}

/** No role is called like a server, whatever its name. */
function trustedAs({ kind, name }: CodeOwner): string {
  if (kind === 'foreign server') return `server:${name}`;
  return /^(?:role|server):/.test(name) ? `role:${name}` : name;
}

type Counted = Exclude<keyof CodeOwner, 'kind' | 'name' | 'ownsDatabase' | 'mayCreate' | 'objects'>;

const singular: Readonly<Record<Counted, string>> = {
  functions: 'function',
  views: 'view',
  tables: 'table',
  types: 'type',
  operators: 'operator',
};

/** "37 functions, 12 views"; what a role only may do is said where it owns nothing. "4 foreign tables" lead to a server. */
function describeOwned(owner: CodeOwner): string {
  if (owner.kind === 'foreign server') return counted(owner.tables, 'foreign table');
  const kinds = Object.keys(singular) as readonly Counted[];
  const others = owner.objects - kinds.reduce((sum, kind) => sum + owner[kind], 0);
  const parts = [
    ...(owner.ownsDatabase ? ['the database'] : []),
    ...kinds.flatMap((kind) => (owner[kind] > 0 ? [counted(owner[kind], singular[kind])] : [])),
    ...(others > 0 ? [counted(others, 'other object')] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'may create objects';
}

/** A list that fits on a screen; `--trust-owner` needs all of them. */
const mostShown = 8;

function listOwners(owners: readonly RefusedOwner[]): string {
  const shown = owners.slice(0, mostShown).map(({ name, owns }) => `${plain(name)} (${owns})`);
  const more = owners.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** For the terminal and the sidebar: what may run, and the question. */
function describeRefused(owners: readonly RefusedOwner[]): string {
  const [first] = owners;
  const isOne = owners.length === 1 && first !== undefined;
  const whose = isOne
    ? `code that ${plain(first.name)} owns (${first.owns})`
    : `code of ${owners.length} other owners: ${listOwners(owners)}`;
  const anyone = owners.some(({ owns }) => owns === 'may create objects')
    ? ' A role that may create objects can add code at any time; REVOKE CREATE ON SCHEMA … FROM PUBLIC prevents it.'
    : '';
  const flags = owners
    .map(({ name }) => `--trust-owner ${toShellWord(toPlainText(name))}`)
    .join(' ');
  return `Statements may run ${whose}, with the privileges of your role.${anyone} Trust ${isOne ? 'this owner' : 'these owners'}? Then add ${flags}.`;
}

function plain(name: string): string {
  return toShortText(name, 63);
}
