// What the editor asks and tells, as schemas. The editor needs their types only: a schema that is imported stays in a bundle, used or not.
import * as v from 'valibot';
import { PlainRange } from '../schema/document-range.ts';
import { isTrue, number, soundOf, text, type OutputOf } from '../schema/fields.ts';

/** Whatever is sent. */
export const Nothing = v.pipe(
  v.unknown(),
  v.transform(() => null),
);
export const InDocument = v.object({ uri: text });
export type InDocument = OutputOf<typeof InDocument>;

/** What only the editor knows; sent with `initialize` as its options, and again as a notification when it changes. */
export const HostFacts = v.object({
  /** Whether code and configuration of the workspace may run. Editors that say nothing are not trusted. */
  isTrusted: isTrue,
  /** Whether the editor shows what ESLint reports, by whatever means. What oxlint reports is no matter of ESLint's configuration. */
  showsEslint: isTrue,
  /** Addresses of workspace folders in which it does not. */
  foldersWithoutEslint: v.fallback(soundOf(text), []),
  /** Whether the editor is ours: it has the command that shows the path of a client, and hears our messages. */
  showsPaths: isTrue,
  /** Whether the editor asks for a check of the workspace when its user wants one, and never by itself. */
  checksWorkspaceOnDemand: isTrue,
});
export type HostFacts = OutputOf<typeof HostFacts>;

/** Options of a pool that can be written into the code. */
const PoolOptionValues = v.object({
  max: v.exactOptional(number),
  connectionTimeoutMillis: v.exactOptional(number),
  idleTimeoutMillis: v.exactOptional(number),
});
export type PoolOptionValues = OutputOf<typeof PoolOptionValues>;

export const PoolChange = v.object({ uri: text, range: PlainRange, values: PoolOptionValues });
export type PoolChange = OutputOf<typeof PoolChange>;

export const Files = v.object({ uris: v.array(text) });
export type Files = OutputOf<typeof Files>;
