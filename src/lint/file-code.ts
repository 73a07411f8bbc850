import type { HeldSpan, Place, WrittenQuery, WrittenStatement } from '../../rules/index.ts';
import { buildingNames } from '../../rules/model/libraries.ts';
import { placedTokens } from '../../rules/model/sql-tokens.ts';
import type { InspectedFile } from './linter.ts';
import { isTooLarge, mayMakePool } from './may-use-pool.ts';
import { prefix } from './analyser.ts';
import { positionsIn, type Positions } from './positions.ts';
import type { Problem } from './problem.ts';

/** What one file tells to link sessions of a server with code. Lines are 1-based, columns 0-based, both as editors count them. */
export interface FileCode {
  readonly statements: readonly FileStatement[];
  readonly queries: readonly FileQuery[];
  readonly pools: readonly FilePool[];
}

/** A call that has a library build a query. */
export interface FileQuery extends Omit<WrittenQuery, 'place'> {
  readonly line: number;
  readonly column: number;
}

export interface FileStatement {
  readonly line: number;
  readonly column: number;
  /** The text around its holes. */
  readonly pieces: readonly string[];
  readonly isSent: boolean;
  /** What the rules say of the client that it runs on, the worst first; `line` is where they say it. */
  readonly findings: readonly { readonly rule: string; readonly line: number }[];
}

export interface FilePool {
  readonly line: number;
  readonly column: number;
  readonly applicationName: string | null;
  /** Null when the code does not tell it. */
  readonly max: number | null;
}

export const noFileCode: FileCode = { statements: [], queries: [], pools: [] };

/** A quote, and the first word of a statement that reads or writes rows. Without the flag for Unicode, which is slow to fold the case of; what may repeat is bounded, so that no file takes long. */
const sqlInQuotes =
  /["'`][\s(]{0,40}(?:--[^\n]{0,200}\n\s{0,40}|\/\*[^*]{0,200}\*\/\s{0,40})?(?:SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|VALUES|CALL|COPY|CREATE|ALTER|DROP|LISTEN|NOTIFY|LOCK|REFRESH)\b/i;

/** `.insertInto(`, `.findMany(`: a call by which a library may build a query. */
const buildingCall = new RegExp(`\\.(?:${[...buildingNames, 'where'].join('|')})\\(`, 'u');

/** A cheap look at the text of a source file: whether it may send or write a statement, have one built, or make a pool. */
export function mayHoldCode(text: string): boolean {
  return (
    !isTooLarge(text) &&
    (sqlInQuotes.test(text) ||
      /\bquery\b/u.test(text) ||
      buildingCall.test(text) ||
      mayMakePool(text))
  );
}

/** Rules are asked for only where they would be shown: `isLinted`. */
export function codeOfFile(file: InspectedFile, isLinted: boolean): FileCode {
  const problems = isLinted ? file.problems.filter(({ rule }) => rule !== null) : [];
  const spans = problems.length === 0 ? [] : file.spans();
  const positions = positionsIn(file.text);
  const at = (place: Place) => {
    const { line, character } = positions.ofPlace(place).start;
    return { line: line + 1, column: character };
  };
  return {
    statements: file.statements().map((statement) => ({
      ...at(statement.place),
      pieces: statement.pieces,
      isSent: statement.isSent,
      findings: findingsOn(statement, problems, spans, positions),
    })),
    queries: file.queries().map(({ place, ...query }) => ({ ...query, ...at(place) })),
    pools: file.pools().map(({ place, applicationName = null, options: { max } }) => ({
      ...at(place),
      applicationName,
      max: max.kind === 'unknown' ? null : max.value,
    })),
  };
}

/** Those at the statement itself, and those about the client that it is sent over. */
function findingsOn(
  { place: { start }, isSent }: WrittenStatement,
  problems: readonly Problem[],
  spans: readonly HeldSpan[],
  { shownLine }: Positions,
): FileStatement['findings'] {
  if (!isSent) return [];
  const carrying = spans.filter(({ statements }) =>
    statements.some(({ place }) => holds(place, start)),
  );
  const about = problems.filter(
    (problem) => holds(problem.place, start) || carrying.some((span) => isAbout(problem, span)),
  );
  const worstFirst = [...about].sort(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  );
  const found = worstFirst.flatMap(({ rule, place }) =>
    rule === null ? [] : [{ rule: rule.replace(prefix, ''), line: shownLine(place.start.line) }],
  );
  return [
    ...new Map(found.map((finding) => [`${finding.rule} ${finding.line}`, finding])).values(),
  ];
}

/** Reported where the client is acquired, or on a way that begins there. */
function isAbout(problem: Problem, { acquire: { start } }: HeldSpan): boolean {
  return [problem, ...problem.steps.filter(({ file }) => file === undefined)].some(
    ({ place }) => place.start.line === start.line && place.start.column === start.column,
  );
}

function holds({ start, end }: Place, at: Place['start']): boolean {
  const isAfterStart =
    at.line > start.line || (at.line === start.line && at.column >= start.column);
  return isAfterStart && (at.line < end.line || (at.line === end.line && at.column < end.column));
}

/** Above this many a file of SQL is a dump. */
const mostStatements = 500;

/** The statements of a `.sql` file, each without what stands around it; who sends them is not known. */
export function codeOfSql(sql: string): FileCode {
  if (isTooLarge(sql)) return noFileCode;
  const statements: FileStatement[] = [];
  const positions = positionsIn(sql);
  let start = -1;
  let end = -1;
  const close = (): void => {
    if (start >= 0)
      statements.push({
        line: positions.ofOffsets(start, start).start.line + 1,
        column: 0,
        pieces: [sql.slice(start, end)],
        isSent: false,
        findings: [],
      });
    start = -1;
  };
  for (const { token, start: from, end: to } of placedTokens(sql)) {
    if (token.kind === 'mark' && token.text === ';') close();
    else {
      if (start < 0) start = from;
      end = to;
    }
    if (statements.length > mostStatements) return noFileCode;
  }
  close();
  return { statements, queries: [], pools: [] };
}
