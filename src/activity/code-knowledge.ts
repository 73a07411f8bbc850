/** How a session's statement was found in the code, the surest first. */
export type StatementMatch =
  /** Letter for letter. */
  | 'exact'
  /** Around the holes of a template literal. */
  | 'template'
  /** After white space, case of keywords and literals were made alike. */
  | 'normalised'
  /** The server has cut the text, and what is left begins like this one. */
  | 'beginning'
  /** A library built it, of which the code tells the table and what is done to it. */
  | 'table';

/** Where the workspace writes a session's statement. */
export interface StatementPlace {
  /** Path in the workspace and line, for example "src/users.ts:42"; two or three with "or" between them where any of these has built it. */
  readonly label: string;
  readonly match: StatementMatch;
  /** How many other places write the same statement. */
  readonly others: number;
  /** The rule that speaks of the client there, without its prefix; null when none does. */
  readonly rule: string | null;
}

/** A pool that the workspace makes. */
export interface DeclaredPool {
  /** `application_name` of its options or connection string; null when the code names none. */
  readonly applicationName: string | null;
  readonly max: number;
  /** Path in the workspace and line, for example "src/db.ts:7". */
  readonly label: string;
}

/** What the code of the workspace tells about sessions. */
export interface CodeKnowledge {
  readonly pools: readonly DeclaredPool[];
  /** Null when no place, or no one place, is found. The text may be cut, as the server cuts it. */
  placeOf(query: string): StatementPlace | null;
}

/** Of a workspace that nobody has read. */
export const noCode: CodeKnowledge = { pools: [], placeOf: () => null };
