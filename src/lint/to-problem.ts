import type { Finding } from '../../rules/checks/finding.ts';
import type { DescribedRule } from '../../rules/rule-text.ts';
import type { Edit, Suggestion } from '../../rules/fixes/suggestion.ts';
import type { Place } from '../../rules/syntax/place.ts';
import { prefix } from './analyser.ts';
import type { Fix, Problem } from './problem.ts';

/** A finding in the words of its rule. `text` is that of the file. */
export function toProblem(
  finding: Finding,
  { id, meta: { messages = {} } }: DescribedRule,
  severity: Problem['severity'],
  text: string,
): Problem {
  const { messageId, data, place, steps, suggestions = [] } = finding;
  return {
    place,
    steps,
    rule: `${prefix}${id}`,
    messageId,
    severity,
    message: filled(messages[messageId] ?? '', data),
    fixes: suggestions.map((each) => toFix(each, messages, text)),
  };
}

function toFix(
  { messageId, data = {}, edits }: Suggestion,
  messages: Readonly<Record<string, string>>,
  text: string,
): Fix {
  const title = filled(messages[messageId] ?? '', data).replace(/\.$/u, '');
  return { kind: messageId, title, ...merged(edits, text) };
}

/** As ESLint fills in a message: what is not told stays as it is written. */
function filled(message: string, data: Readonly<Record<string, string>>): string {
  return message.replace(/\{\{([^{}]+)\}\}/gu, (whole, name: string) => data[name.trim()] ?? whole);
}

/** Several edits as one, with what stands between them. */
function merged(edits: readonly Edit[], text: string): Pick<Fix, 'range' | 'text'> {
  const sorted = [...edits].sort(
    ({ range: one }, { range: other }) => one[0] - other[0] || one[1] - other[1],
  );
  const start = sorted[0]?.range[0] ?? 0;
  let [end, put] = [start, ''];
  for (const { range, text: added } of sorted) {
    put += text.slice(end, range[0]) + added;
    end = range[1];
  }
  return { range: [start, end], text: put };
}

/** How the message of a text begins that does not parse. */
const syntaxError = 'The file was not checked because of a syntax error: ';

/** Nothing will be known of the file until its text changes. */
export function isSyntaxError({ rule, message }: Problem): boolean {
  return rule === null && message.startsWith(syntaxError);
}

/** What a parser throws: TypeScript's counts lines from 1 and columns from 0; one whose stack is full says no place. */
interface Thrown {
  readonly message: string;
  readonly lineNumber?: number;
  readonly column?: number;
}

/** What is wrong with a text, as a problem of no rule. */
export function toSyntaxProblem(failure: Thrown): Problem {
  const { message, lineNumber: line = 1, column = 1 } = failure;
  const what =
    failure instanceof RangeError ? 'The code is nested too deeply to be parsed.' : message;
  const at = { line, column: Math.max(0, column - 1) };
  return failed(`${syntaxError}${what.replace(/\.?$/u, '.')}`, { start: at, end: at });
}

const start = { line: 1, column: 0 };

/** Where it is said of a file that nothing is known of it. */
export const fileStart: Place = { start, end: start };

/** Why nothing is known of a file. */
export function failed(message: string, place = fileStart): Problem {
  return { place, rule: null, severity: 'error', message, steps: [], fixes: [] };
}
