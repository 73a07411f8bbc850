import type { CodePlace, CodeStatement } from '../../linking/code-statement.ts';
import { fillHoles, shapeOf } from './statement-shape.ts';

/** A statement of the code that a probe can run. */
export interface CodeQuery {
  readonly text: string;
  /** How many values it takes. */
  readonly parameters: number;
  readonly place: CodePlace;
  /** Further places that write the same. */
  readonly others: number;
}

/** Longer ones are generated, and no row of a pick. */
const longest = 20_000;
const most = 500;

/** The statements that read and have no holes, each text once; those of tests and scripts last. */
export function codeQueries(statements: readonly CodeStatement[]): readonly CodeQuery[] {
  const found = new Map<string, CodeQuery>();
  for (const statement of [...statements].sort((a, b) => Number(a.isAside) - Number(b.isAside))) {
    const text = wholeText(statement);
    if (text === undefined) continue;
    const known = found.get(text);
    const shape = known === undefined ? shapeOf(text) : undefined;
    if (known !== undefined) found.set(text, { ...known, others: known.others + 1 });
    else if (shape?.kind === 'statement' && found.size < most)
      found.set(text, { text, parameters: shape.parameters, place: statement, others: 0 });
  }
  return [...found.values()];
}

function wholeText({ pieces }: CodeStatement): string | undefined {
  const [text = '', ...more] = pieces;
  return more.length > 0 || text.trim() === '' || text.length > longest ? undefined : text.trim();
}

/** A statement that the code is seen to send and that may only read, for the lens above it; it may have holes. */
export function isSentQuery({ isSent, isAside, pieces }: CodeStatement): boolean {
  if (!isSent || isAside) return false;
  const text = fillHoles(pieces);
  return text.length <= longest && shapeOf(text).kind === 'statement';
}
