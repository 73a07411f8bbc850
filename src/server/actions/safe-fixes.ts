import { poolguardRules } from '../../lint/known-rules.ts';
import type { Fix, Problem } from '../../lint/problem.ts';

const safeByRule = new Map(poolguardRules.rules.map((rule) => [rule.id, rule.safeSuggestions]));

/** The one fix of a problem that has no other and needs no choice. */
export function safeFixOf({ rule, fixes }: Problem): Fix | undefined {
  const [fix, other] = fixes;
  const isSafe =
    rule !== null && fix?.kind !== undefined && safeByRule.get(rule)?.includes(fix.kind) === true;
  return isSafe && other === undefined ? fix : undefined;
}
