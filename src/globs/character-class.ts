/** Whether a letter is taken, by its code. */
export type Takes = (code: number) => boolean;

const slash = '/'.charCodeAt(0);

export const isSlash: Takes = (code) => code === slash;
export const isLetterOfName: Takes = (code) => code !== slash;

const named: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/iu,
  alpha: /[a-z]/iu,
  blank: /[ \t]/u,
  cntrl: /\p{Cc}/u,
  digit: /\d/u,
  graph: /[!-~]/u,
  lower: /[a-z]/u,
  print: /[ -~]/u,
  punct: /[!-\/:-@[-`{-~]/u,
  space: /\s/u,
  upper: /[A-Z]/u,
  xdigit: /[0-9a-f]/iu,
};

/** Reads `[a-z]`, `[!abc]` or `[[:digit:]_]` from its bracket on; undefined where it is never closed. No class takes a slash. */
export function readClass(
  pattern: string,
  start: number,
): { readonly takes: Takes; readonly end: number } | undefined {
  const isNegated = /[!^]/u.test(pattern.charAt(start + 1));
  const first = start + (isNegated ? 2 : 1);
  const members: Takes[] = [];
  for (let at = first; at < pattern.length;) {
    if (pattern.charAt(at) === ']' && at > first) {
      return {
        takes: (code) => code !== slash && members.some((takes) => takes(code)) !== isNegated,
        end: at + 1,
      };
    }
    const member = readNamed(pattern, at) ?? readRange(pattern, at);
    members.push(member.takes);
    at = member.end;
  }
  return undefined;
}

interface Member {
  readonly takes: Takes;
  readonly end: number;
}

function readNamed(pattern: string, at: number): Member | undefined {
  if (!pattern.startsWith('[:', at)) return undefined;
  const close = pattern.indexOf(':]', at);
  const letters = named[pattern.slice(at + 2, close)];
  return close < 0 || letters === undefined
    ? undefined
    : { takes: (code) => letters.test(String.fromCharCode(code)), end: close + 2 };
}

function readRange(pattern: string, at: number): Member {
  const low = readLetter(pattern, at);
  const isRange = pattern.charAt(low.end) === '-' && !/^\]?$/u.test(pattern.charAt(low.end + 1));
  const high = isRange ? readLetter(pattern, low.end + 1) : low;
  return { takes: (code) => low.code <= code && code <= high.code, end: high.end };
}

function readLetter(pattern: string, at: number): { readonly code: number; readonly end: number } {
  const place = pattern.charAt(at) === '\\' && at + 1 < pattern.length ? at + 1 : at;
  return { code: pattern.charCodeAt(place), end: place + 1 };
}
