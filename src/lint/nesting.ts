/** By character of the ASCII. */
function effects(byCharacters: Readonly<Record<string, number>>): Int8Array {
  const found = new Int8Array(128);
  for (const [characters, effect] of Object.entries(byCharacters))
    for (const character of characters) found[character.charCodeAt(0)] = effect;
  return found;
}

const turns = effects({ '([{': 1, ')]}': -1 });
const links = effects({ '?=!~*<+-.&|:': 1, ';{}': -1 });

/** Of 12,000 files of services none has more than 36 brackets in each other, and one in 300 a longer chain. */
const deepest = 64;
const longestChain = 500;
const mostBranches = 100;

/**
 * Whether a parser that calls itself for all that is nested could run out of stack, which ends the process where it is native: oxc takes 1 to
 * 4 kB for a bracket, and a thread has 1 MB for everything. Characters count wherever they stand, in texts and comments, too.
 */
export function mayNestDeeply(text: string): boolean {
  let depth = 0;
  let chain = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    depth = Math.max(0, depth + (turns[code] ?? 0));
    const link = links[code] ?? 0;
    chain = link < 0 ? 0 : chain + link;
    if (depth > deepest || chain > longestChain) return true;
  }
  return (text.match(/\belse\s+if\b/gu)?.length ?? 0) > mostBranches;
}
