import { toPlainText } from '../../activity/plain-text.ts';
import type { ConnectionSource, FoundConnection } from '../../connections/found-connection.ts';
import { describePlace, isLoopback, type ConnectionTarget } from '../../database/target.ts';
import { describeTls } from './connection-row.ts';
import { plainLabel } from './plain-labels.ts';
import type { SavedConnection } from './saved-state.ts';

/** What somebody may choose to connect to. */
export type ConnectionChoice =
  | { readonly kind: 'found'; readonly found: FoundConnection }
  | { readonly kind: 'typed' }
  | { readonly kind: 'saved'; readonly saved: SavedConnection };

/** A row of the pick. No password is in it. */
export interface ConnectionItem {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly choice: ConnectionChoice;
}

export interface ConnectionItems {
  readonly found: readonly ConnectionItem[];
  readonly typed: ConnectionItem;
  readonly saved: readonly ConnectionItem[];
}

/** Folders are named when there are several. */
export function toItems(
  found: readonly FoundConnection[],
  saved: readonly SavedConnection[],
  hasSeveralFolders: boolean,
): ConnectionItems {
  return {
    found: found.map((each) => ({
      label: plainLabel(each.target.database),
      description: plainLabel(
        `${describeAddress(each.target)}${each.isPooler ? ' · pooler' : ''}${each.secret === null ? ' · asks for a password' : ''}`,
      ),
      detail: plainLabel(describeSources(each.sources, hasSeveralFolders)),
      choice: { kind: 'found', found: each },
    })),
    typed: { label: 'Enter a connection string…', choice: { kind: 'typed' } },
    saved: saved.map((each) => ({
      label: plainLabel(each.name),
      description: plainLabel(`${each.target.database}, ${describeAddress(each.target)}`),
      choice: { kind: 'saved', saved: each },
    })),
  };
}

/** `.env · DATABASE_URL · shop-api`, and how many more. */
export function describeSources(
  sources: readonly ConnectionSource[],
  hasSeveralFolders: boolean,
): string {
  const [first, ...more] = sources.map(({ file, name, folder }) =>
    [file, name, ...(hasSeveralFolders && folder !== null ? [folder] : [])].join(' · '),
  );
  return (
    [first, ...more.slice(0, 2)].join(', ') +
    (more.length > 2 ? `, and ${more.length - 2} more` : '')
  );
}

/** `app@localhost:5432`, and the protection where it says something. */
function describeAddress(target: ConnectionTarget): string {
  const isPlainLocal = target.tls === 'off' && isLoopback(target.host);
  return `${target.user}@${describePlace(target)}${isPlainLocal ? '' : ` · ${describeTls(target)}`}`;
}

/** The name to suggest: that of the database, or with its file where that is taken. */
export function suggestName(
  { database }: ConnectionTarget,
  taken: readonly SavedConnection[],
  place: string,
): string {
  const name = toPlainText(database);
  return taken.some((each) => each.name === name) ? `${name} (${toPlainText(place)})` : name;
}
