import * as v from 'valibot';
import { sessionColumns, type SessionListChoice } from '../activity/session-list.ts';

const longestFilter = 1_000;

/** What a page or its kept state says of a list. */
export const ListChoice = v.object({
  order: v.object({ column: v.picklist(sessionColumns), isDescending: v.boolean() }),
  filter: v.pipe(v.string(), v.maxLength(longestFilter)),
  hidesIdle: v.boolean(),
}) satisfies v.GenericSchema<unknown, SessionListChoice>;
