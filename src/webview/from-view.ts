import * as v from 'valibot';
import { sessionColumns } from '../activity/session-list.ts';
import { intervals } from '../activity/snapshot.ts';
import type { OutputOf } from '../schema/fields.ts';
import { ColumnLayout } from './column-layout.ts';
import { ListChoice } from './intent.ts';
import { sessionActions } from './messages.ts';

export const viewActions = [
  'connect',
  'reconnect',
  'trust',
  'pause',
  'resume',
  'probe',
  'probe-again',
  'cancel-probe',
  'conclude-probe',
  'copy-snippet',
  'copy-pooler-settings',
  'write-options',
  'export-probe',
  'open-pooler',
  'run-watched',
  'watch-terminals',
  'unwatch-terminals',
] as const;
/** What a view may ask for without an argument. */
export type ViewAction = (typeof viewActions)[number];

const exportPlaces = ['clipboard', 'file'] as const;
export type ExportPlace = (typeof exportPlaces)[number];

const FromView = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('interval'), seconds: v.picklist(intervals) }),
  v.object({ kind: v.literal('open'), section: v.picklist(['sessions', 'probe']) }),
  /** Something to do with one session. The host looks the session up in its last snapshot and refuses when it is not there. */
  v.object({
    kind: v.literal('session'),
    action: v.picklist(sessionActions),
    /** `sessionKey` */
    key: v.string(),
  }),
  /** Something to do with one pool of the last snapshot. */
  v.object({
    kind: v.literal('pool'),
    action: v.literal('show-code'),
    /** `PoolGroup.key` */
    key: v.string(),
  }),
  /** A line of code that is shown; the host looks its key up among those that it has shown. */
  v.object({ kind: v.literal('code-place'), key: v.string() }),
  /** The list as the page shows it; the host makes it again from its own last snapshot. */
  v.object({ kind: v.literal('export'), to: v.picklist(exportPlaces), list: ListChoice }),
  /** Cells of sessions, to the clipboard. */
  v.object({
    kind: v.literal('copy'),
    /** `sessionKey` */
    keys: v.array(v.string()),
    columns: v.array(v.picklist(sessionColumns)),
    statements: v.picklist(['redacted', 'whole']),
  }),
  v.object({ kind: v.literal('columns'), layout: ColumnLayout }),
  v.object({ kind: v.picklist(viewActions) }),
]);
export type FromView = OutputOf<typeof FromView>;

/** A view runs in a browser that shows hostile text, so that nothing it sends is taken on trust: the message, or undefined when it is none of ours. */
export function parseFromView(value: unknown): FromView | undefined {
  const read = v.safeParse(FromView, value, { abortEarly: true });
  return read.success ? read.output : undefined;
}
