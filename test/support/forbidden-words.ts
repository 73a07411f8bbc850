/** Words and idioms that no text for a person has, each with what to write in its place. */
const forbiddenWords: readonly (readonly [words: RegExp, instead: string])[] = [
  // Words that the field has another word for.
  [/\bfor good\b/iu, 'permanently'],
  [/\bfor ?ever\b/iu, 'indefinitely'],
  [
    /\bbehind (?:BEGIN|COMMIT|it|its|that|this|the (?:callback|checkout|code|declaration|end|last|release|rollback|text|transaction))\b/iu,
    'after',
  ],
  [/\band its kin\b/iu, 'and similar poolers'],
  [/\bholds? up\b/iu, 'blocks'],
  [/\b(?:last|two|between) looks\b/iu, 'samples'],
  [/\bis out for\b/iu, 'checked out for'],
  [/\bmend(?:s|ed|ing)?\b/iu, 'fix'],
  [/\b(?:tells?|told|telling)\b/iu, 'report'],
  [/\banswers\/s\b/iu, 'requests/s'],
  [/\blets? users ask\b/iu, 'send requests'],
  [/\b\d+ leads\b/iu, 'best so far'],
  [/% of the most\b/iu, '% of peak throughput'],
  [/--i-know\b/u, '--allow-production'],
  [/\bMISTAKE:/u, 'error:'],
  [/\b\d+ without a client\b/iu, 'checkouts timed out'],
  [/\bare too many\b/iu, 'Warn at this many'],
  [/\bis meant\b/iu, 'a plain statement'],
  [/\bours steps aside\b/iu, "Hide Poolguard's"],
  [/\bbackends lent\b/iu, 'servers in use'],
  [/\bHEADROOM \d/u, '9 of 97 connections used'],
  [/\bleave it alone\b/iu, 'Cancel'],
  [/\bmust come back\b/iu, 'must be released'],
  [/\bnone that\b/iu, 'not one that'],
  [/\bborrowers?\b/iu, 'the next user of the connection'],
  [/\b(?:gives?|given|goes|gone|come|comes|going) back\b/iu, 'release, released'],
  // Idioms of translation.
  [/\bso that\b/iu, 'a sentence of its own'],
  [/\bwhat is \w+ is\b/iu, 'a noun as the subject'],
  [/\bhas what it needs\b/iu, 'a plain statement'],
  [/\bby itself\b/iu, 'automatically'],
  [/, since\b/iu, 'because'],
  [/\beach such\b/iu, 'each'],
  [/\bof \S+ of \S+ of\b/iu, 'no chain of "of"'],
  [/\b(?:nobody|somebody|whoever)\b/iu, 'a noun, or the passive voice'],
  [/\ball the same\b/iu, 'still, anyway'],
  [/\bonce more\b/iu, 'again'],
  [/\boutside of\b|\binside of\b/iu, 'outside, inside'],
  [/\bmeanwhile\b/iu, 'during'],
];

/** The forbidden words of a text, each with what to write in its place; code and quotations are left out. */
export function forbiddenIn(text: string): readonly string[] {
  const prose = text.replace(/`[^`]*`|"[^"]*"/gu, '…');
  return forbiddenWords.flatMap(([words, instead]) => {
    const found = words.exec(prose)?.[0];
    return found === undefined ? [] : [`"${found}": ${instead}`];
  });
}
