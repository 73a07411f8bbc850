import { walk } from '../../../rules/syntax/preorder.ts';
import { edited, type Change, type Edit } from '../changed-text.ts';
import type { Subject } from '../subject.ts';

/** Words that somebody may look for in code. */
const telling = [
  '/* no COMMIT, no ROLLBACK and no abort here: endTransaction does that */',
  '/* await the lock, wait for its turn in the queue: acquire the mutex, mind the limit */',
  '/* the pool is kept on purpose, release() on error, client.on("error"), .forEach, Promise.all */',
  '/* LISTEN, replication, pg_advisory, statement_timeout; SET lock_timeout, PREPARE; TEMP, HOLD */',
];

/** A comment before each statement, and behind each argument of a call. */
export function addComments(subject: Subject, choice: number): Change | undefined {
  const places: number[] = [];
  walk(subject, subject.ast, (node) => {
    if (node.type === 'BlockStatement' || node.type === 'Program')
      places.push(...node.body.map(({ range }) => range[0]));
    if (node.type === 'CallExpression') places.push(...node.arguments.map(({ range }) => range[1]));
    return true;
  });
  return changed(
    subject,
    places.map((at, index) => ({
      range: [at, at],
      text: ` ${telling[(index + choice) % telling.length]} `,
    })),
  );
}

export function removeComments(subject: Subject): Change | undefined {
  return changed(
    subject,
    plainComments(subject).map(({ range }) => ({ range, text: ' ' })),
  );
}

export function rewordComments(subject: Subject, choice: number): Change | undefined {
  return changed(
    subject,
    plainComments(subject).map(({ range }, index) => ({
      range,
      text: telling[(index + choice) % telling.length] ?? '',
    })),
  );
}

/** Those that give nothing a type. A comment of one line goes with nothing but itself: its end is no part of it. */
function plainComments({ ast, text }: Subject): readonly { readonly range: [number, number] }[] {
  return (ast.comments ?? []).filter(
    ({ range }) => !text.slice(...range).includes('@') && !text.startsWith('#!', range[0]),
  );
}

function changed(subject: Subject, edits: readonly Edit[]): Change | undefined {
  return edits.length === 0
    ? undefined
    : { [subject.path]: edited([0, subject.text.length], edits) };
}
