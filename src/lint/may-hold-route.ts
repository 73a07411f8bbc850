import { isTooLarge } from './may-use-pool.ts';

const routeCall =
  /\b(?:get|post|put|patch|delete|del|all|head|options|route|Get|Post|Put|Patch|Delete|All|Head|Options)\s*\(|\bexport\b[^;]{0,60}\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/u;

/** A cheap look at the text of a source file: whether it may have a handler for a path. */
export function mayHoldRoute(text: string): boolean {
  return !isTooLarge(text) && routeCall.test(text);
}
