import * as v from 'valibot';
import {
  defaultListChoice,
  sessionColumns,
  type SessionListChoice,
} from '../activity/session-list.ts';
import { flag, soundEntriesOf } from '../schema/fields.ts';

/** How somebody wants to see a page. It outlives the page, so that no data is in it. */
export interface Intent {
  readonly list: SessionListChoice;
  /** Pools that were opened or closed by hand, by key. */
  readonly folds: Readonly<Record<string, boolean>>;
}

export const firstIntent: Intent = { list: defaultListChoice, folds: {} };

const mostFolds = 100;

const longestFilter = 1_000;

/** What a page or its kept state says of a list. */
export const ListChoice = v.object({
  order: v.object({ column: v.picklist(sessionColumns), isDescending: v.boolean() }),
  filter: v.pipe(v.string(), v.maxLength(longestFilter)),
  hidesIdle: v.boolean(),
}) satisfies v.GenericSchema<unknown, SessionListChoice>;

/** What cannot be read is as at first. */
const KeptIntent = v.fallback(
  v.object({
    list: v.fallback(ListChoice, firstIntent.list),
    folds: v.fallback(soundEntriesOf(flag), {}),
  }),
  { ...firstIntent },
);

/** What an earlier page kept, which may be of another version. */
export function parseIntent(value: unknown): Intent {
  const { list, folds } = v.parse(KeptIntent, value);
  return { list, folds: Object.fromEntries(Object.entries(folds).slice(-mostFolds)) };
}

/** The last ones only: a server may have any number of pools over the weeks. */
export function foldPool(intent: Intent, key: string, isOpen: boolean): Intent {
  const others = Object.entries(intent.folds).filter(([each]) => each !== key);
  return {
    ...intent,
    folds: Object.fromEntries([...others, [key, isOpen] as const].slice(-mostFolds)),
  };
}
