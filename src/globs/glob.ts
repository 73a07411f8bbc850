import { reach, type Automaton } from './automaton.ts';
import { buildAutomaton } from './build-automaton.ts';
import { tokensOf, type Dialect, type Token } from './glob-tokens.ts';
import type { Work } from './work.ts';

// Not by picomatch: it makes regular expressions, and one of `*a*a*a…` or `+(+(a))` in a file of a repository keeps them busy for minutes.

/** A pattern of paths. It takes steps in proportion to its own length and that of the path, whatever it is. */
export interface Glob {
  /** What it stands for when it has no wildcard. */
  readonly literal: string | undefined;
  /** Whether it is all of a path, with slashes between the names. */
  matches(path: string): boolean;
  /** Whether it is a path or a folder around it. */
  matchesAround(path: string): boolean;
  /** Whether it may match a path in a folder. */
  mayMatchIn(folder: string): boolean;
}

export interface GlobOptions {
  readonly dialect: Dialect;
  /** Whether wildcards match names that begin with a dot. */
  readonly matchesDots: boolean;
  readonly work: Work;
}

/** In letters. Nobody writes longer patterns. */
export const longestGlob = 1_000;

/** A glob that matches nothing where the pattern is longer than `longestGlob`. */
export function createGlob(given: string, { dialect, matchesDots, work }: GlobOptions): Glob {
  const pattern = dialect === 'shell' ? given.replace(/^\.\//u, '') : given;
  const tokens = pattern.length > longestGlob ? undefined : tokensOf(pattern, dialect);
  if (tokens === undefined) return nothing;
  const required = requiredOf(tokens);
  /** What people call a file is that file, whatever its name would mean: `app/[id]/(group)`. */
  const written = dialect === 'shell' ? pattern : undefined;
  let automaton: Automaton | undefined;
  const lengthsIn = (path: string): readonly number[] => {
    work.left -= 1;
    if (!path.includes(required)) return [];
    automaton ??= buildAutomaton(tokens);
    return reach(automaton, path, matchesDots, work).lengths;
  };
  return {
    literal: literalOf(tokens),
    matches: (path) => path === written || lengthsIn(path).at(-1) === path.length,
    matchesAround: (path) =>
      path === written ||
      path.startsWith(`${written}/`) ||
      lengthsIn(path).some((length) => length === path.length || path.charAt(length) === '/'),
    mayMatchIn(folder) {
      automaton ??= buildAutomaton(tokens);
      return reach(automaton, `${folder}/`, matchesDots, work).isOpen;
    },
  };
}

const nothing: Glob = {
  literal: undefined,
  matches: () => false,
  matchesAround: () => false,
  mayMatchIn: () => false,
};

function literalOf(tokens: readonly Token[]): string | undefined {
  return tokens.every(({ kind }) => kind === 'letter')
    ? tokens.map((token) => (token.kind === 'letter' ? token.letter : '')).join('')
    : undefined;
}

/** The longest text that is part of whatever tokens match, without the slashes at its ends, which `**` may take. */
function requiredOf(tokens: readonly Token[]): string {
  let depth = 0;
  let [text, longest] = ['', ''];
  for (const token of [...tokens, { kind: 'nothing' } as const]) {
    if (token.kind === 'letter' && depth === 0) text += token.letter;
    else {
      const trimmed = text.replace(/^\/|\/$/gu, '');
      if (trimmed.length > longest.length) longest = trimmed;
      text = '';
    }
    if (token.kind === 'open') depth += 1;
    if (token.kind === 'close') depth -= 1;
  }
  return longest;
}
