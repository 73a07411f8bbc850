import { stringsOf, type Text } from '../values/texts/text.ts';

/** Blanks, comments and brackets may come before the first word. */
const statementStart =
  /^(?:[\s(]|--[^\n]*\n|\/\*[^*]*\*\/)*(?:SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|VALUES|TABLE|CALL|COPY|CREATE|ALTER|DROP|TRUNCATE|LOCK|REFRESH|VACUUM|ANALYZE|EXPLAIN|REINDEX|NOTIFY|LISTEN|DECLARE|FETCH|DO|GRANT|REVOKE)\b/i;

/** Words that follow a statement's first one, in capitals or not; English sentences begin with "select" and "update", too. */
const followingWord =
  /^[^a-z]*(?:select\b[^]*\b(?:from|\()|insert\s+into\b|update\s+(?:only\s+)?\S+(?:\s+(?:as\s+)?\w+)?\s+set\b|delete\s+from\b|with\s+(?:recursive\s+)?\S(?:(?!\bas\b)[^])*\bas\b[^]*\(|merge\s+into\b|(?:create|alter|drop|truncate|lock)\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|index|view|materialized|function|type|schema|extension|sequence|trigger)\b|refresh\s+materialized|call\s+\w+\s*\(|values\s*\()/i;

const shortest = 16;
/** So much of a text tells what it is. */
const head = 600;

/** Whether a text that nobody is seen to send reads like a statement of SQL. */
export function readsLikeSql(text: Text): boolean {
  const start = stringsOf(text).join(' x ').slice(0, head);
  return (
    start.length >= shortest &&
    statementStart.test(start) &&
    followingWord.test(withoutComments(start))
  );
}

/** What is sent as a query and begins with a hole is recognised by its later pieces. */
export function mayBeSql(text: Text): boolean {
  const [first = '', ...rest] = stringsOf(text);
  return statementStart.test(first) || (rest.length > 0 && first.trim() === '');
}

function withoutComments(text: string): string {
  return text.replace(/^(?:[\s(]|--[^\n]*\n|\/\*[^*]*\*\/)+/u, '');
}
