import type { CodeStatement } from '../../src/linking/code-statement.ts';

/** A statement of the code, sent at `src/users.ts:42` where nothing else is said. Holes are written `${}`. */
export function aStatement(text: string, other: Partial<CodeStatement> = {}): CodeStatement {
  const path = other.path ?? 'src/users.ts';
  return {
    uri: `file:///shop/${path}`,
    path,
    line: 42,
    column: 15,
    pieces: text.split('${}'),
    isSent: true,
    isAside: false,
    findings: [],
    ...other,
  };
}
