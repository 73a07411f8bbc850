/** Words and idioms that no text for a person has, each with what to write in its place. */
const forbiddenWords: readonly (readonly [words: RegExp, instead: string])[] = [
  // Words that the field has another word for.
  [/\bfor good\b/iu, 'permanently'],
  [/\bfor ?ever\b/iu, 'indefinitely'],
  [
    // In front of a server there may be a pooler, by its name or a link to it; what is later is after something.
    /(?<!\b[Ff]all(?:s|en|ing)? )\b[Bb]ehind (?!(?:an? |the |your |every kind of |a real )?\[?(?:(?:connection )?pooler\b|proxy\b|RDS\b|[A-Z][a-z]|…|\{\{pooler))/u,
    'after',
  ],
  [/\band its kin\b/iu, 'and similar poolers'],
  [/\bholds? up\b/iu, 'blocks'],
  [
    /\b(?:last|first|next|this|each|two|\d+|…) looks?\b|\blook(?:s|ed|ing)? (?:at|into)\b/iu,
    'sample, read, check',
  ],
  [/(?:\b(?:is|are|been)|…) out for\b/iu, 'checked out for'],
  [/\bmend(?:s|ed|ing)?\b/iu, 'fix'],
  [/\b(?:tells?|told|telling)\b/iu, 'report'],
  [/\banswers\/s\b/iu, 'requests/s'],
  [/\blets? users ask\b/iu, 'send requests'],
  [/(?:\d|…) leads\b/iu, 'best so far'],
  [/\bof the most\b/iu, 'of peak throughput, of the maximum'],
  [/--i-know\b/u, '--allow-production'],
  [/\bMISTAKE:/u, 'error:'],
  [/(?:\d|…) without a client\b/iu, 'checkouts timed out'],
  [/\bare too many\b/iu, 'Warn at this many'],
  [/\bis meant\b/iu, 'a plain statement'],
  [/\bso many\b/iu, 'this many'],
  [/\bper cent\b/iu, 'percentage'],
  [/\b(?:ours|theirs)\b/iu, "Poolguard's, ESLint's"],
  [/\b(?:lent|lends?|lending)\b/iu, 'in use, checked out'],
  [/\bHEADROOM\b|^Headroom\b/u, '9 of 97 connections used'],
  [/\bin line\b/iu, 'queued, in the queue'],
  [/\bleave it alone\b/iu, 'Cancel'],
  [/\bmust come back\b/iu, 'must be released'],
  [/\bnone that\b/iu, 'not one that'],
  [/(?<!\b(?:there|this) )\bis no (?!longer\b|more\b)/iu, 'is not a'],
  [/\bbe had\b/iu, 'be reached'],
  [/\bborrowers?\b/iu, 'the next user of the connection'],
  [/\b(?:gives?|given|goes|gone|comes?|came|going) back\b/iu, 'release, released'],
  // Idioms of translation.
  [/\bso that\b/iu, 'a sentence of its own'],
  [/\bwhat is \w+ is\b/iu, 'a noun as the subject'],
  [/\bhas what it needs\b/iu, 'a plain statement'],
  [/\bby (?:itself|themselves)\b/iu, 'automatically, on its own'],
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
