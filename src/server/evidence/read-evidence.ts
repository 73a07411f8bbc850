import { isAbsolute, resolve } from 'node:path';
import * as v from 'valibot';
import { toShortText } from '../../activity/plain-text.ts';
import {
  deepest,
  evidenceKinds,
  mostEvidence,
  mostPids,
  type Evidence,
} from '../../running/evidence.ts';
import { isTrue, soundOf, within } from '../../schema/fields.ts';
import { pathOfUri } from '../path-of-document.ts';

const longestName = 60;
const longestPath = 4_000;
const longestKey = 40_000;

const count = v.pipe(within(0, Number.MAX_SAFE_INTEGER), v.transform(Math.floor));
const fromOne = v.pipe(count, v.minValue(1));

/** What an application calls itself, or a pool, in one line. */
const name = v.pipe(
  v.string(),
  v.transform((told) => toShortText(told, longestName).trim() || '?'),
);

const place = v.object({
  file: v.pipe(v.string(), v.maxLength(longestPath), v.transform(pathOf), v.string()),
  line: fromOne,
  column: fromOne,
  function: v.fallback(v.null(), null),
});

const ToldEvidence = v.object({
  key: v.pipe(v.string(), v.maxLength(longestKey)),
  kind: v.picklist(evidenceKinds),
  stack: v.pipe(soundOf(place, deepest), v.minLength(1)),
  related: v.fallback(
    soundOf(v.object({ what: v.picklist(['acquired', 'released']), place }), 2),
    [],
  ),
  count: fromOne,
  longestMs: count,
  isWaitedFor: isTrue,
  pool: name,
  app: name,
  pids: v.fallback(soundOf(count, mostPids), []),
  startedAt: count,
  hasEnded: isTrue,
});

const AllEvidence = v.fallback(soundOf(ToldEvidence, mostEvidence), []);

/** Evidence as the editor sends it. It comes from a running application, so it is untrusted: entries of another shape are dropped. */
export function readEvidence(told: unknown): readonly Evidence[] {
  return v.parse(AllEvidence, told);
}

/** Absolute and without `..`; undefined for anything else. */
function pathOf(told: string): string | undefined {
  if (told.includes('\0')) return undefined;
  const path = told.startsWith('file:///') ? (pathOfUri(told) ?? '') : told;
  return isAbsolute(path) ? resolve(path) : undefined;
}
