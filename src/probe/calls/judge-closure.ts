import { firstOwnOid } from '../../database/read-call-facts.ts';
import {
  qualifiedName,
  signatureOf,
  type Caller,
  type Closure,
  type ClosureRules,
} from './call-closure.ts';
import type { RefusedCall } from './describe-calls.ts';
import { whyRefused } from './judge-function.ts';

/** All that a whole closure calls and must not, nearest first. */
export function refusedIn(
  { functions, foreignTables }: Closure,
  { allowed, isWriting }: ClosureRules,
  isSuperuser: boolean,
): readonly RefusedCall[] {
  const called = functions.flatMap(({ facts, by }): readonly RefusedCall[] => {
    const name = qualifiedName(facts);
    const because = allowed.has(name) ? null : whyRefused(facts, { isSuperuser, isWriting });
    return because === null
      ? []
      : [
          {
            label: signatureOf(facts),
            because,
            by,
            allowedAs: facts.oid >= firstOwnOid ? name : (nearestName(by) ?? name),
          },
        ];
  });
  const tables = foreignTables.flatMap(({ facts, by }): readonly RefusedCall[] => {
    const name = qualifiedName(facts);
    return allowed.has(name)
      ? []
      : [
          {
            label: name,
            because: 'is a foreign table, and reaches other servers, files or programs',
            by,
            allowedAs: name,
          },
        ];
  });
  return [...called, ...tables];
}

/** The function that is to be trusted with what PostgreSQL's own one does. */
function nearestName(caller: Caller): string | null {
  for (let at: Caller | null = caller; at !== null; at = at.above)
    if (at.allowedAs !== null) return at.allowedAs;
  return null;
}
