import fc from 'fast-check';

/** What opens, closes and continues, in any order. */
const pieces = [
  ..."' '' \" \"\" E' e' N' n' B' X' U&' u&' U&\" u& UESCAPE uescape '!' E'!' $$!$$ '+'".split(' '),
  ..."!0041 !+000041 !! !' \\ \\\\ \\' \\'' \\n \\x41 \\101 \\303\\244 \\303 \\u0041 \\0041".split(
    ' ',
  ),
  ...['\n', '\r', '\r\n', ' ', '\t', '\f', '\v', '\u00A0', '--', '-- c\n', "-- '\n", '--\r', '- -'],
  ...'/* */ /**/ /*/ **/ //* */* /*/* --/* $$ $a$ $b$ $a $ $a$b$ $1 $2 $ä$'.split(' '),
  ...'0 1 1. .5 1.5 .. ... 1.. 1e5 1.e5 1e-2 1E+3 0x1F 0b1 0o7 1_000 _ . a A ä ſet select E N U B X'.split(
    ' ',
  ),
  ...'+ - * / < > = @ ! | ` ? :: := : @- <=> [ ] , ; ( ) { }'.split(' '),
];
const piece = fc.constantFrom(...pieces);
const chaos = fc.array(piece, { maxLength: 14 }).map((all) => all.join(''));

const inside = fc
  .array(
    fc.constantFrom("''", '"', '\\\\', 'x', 'ä', '--', '/*', ';', '$$', '\n', ' ', '0', 'E', '!!'),
    {
      maxLength: 4,
    },
  )
  .map((all) => all.join(''));
const opening = fc.constantFrom("'", "E'", "N'", "B'", "X'", "U&'", "'");
const gap = fc.constantFrom(
  '\n',
  ' \n',
  '\r',
  '\n\n ',
  ' ',
  '',
  '\t\n',
  '\v\n',
  '\n/* */',
  ' -- c\n',
  '\n-- c\n',
  "--'\n",
);
const parts = fc
  .tuple(
    opening,
    inside,
    fc.array(fc.tuple(gap, fc.constantFrom("'", "'\\'"), inside), { maxLength: 3 }),
  )
  .map(
    ([open, first, more]) => `${open}${first}'${more.map((each) => `${each.join('')}'`).join('')}`,
  );
const whole = fc.oneof(
  parts,
  fc.constantFrom(
    "$$ ' -- $$",
    '$a$ $$ $b$ $a$',
    '/* \' /* " */ $$ */',
    "-- ' \n",
    '"a"" -- b"',
    "U&'!0061' UESCAPE '!'",
    "U&\"!0061\" /* ' */ uescape -- '\n E'!'",
    "U&'d' UESCAPE 'a'",
    '1..2',
    'a$1$b',
    '$1',
    '1.5e-3',
    '@-- \n',
    '*/* */',
    '<',
    ';',
  ),
);
const orderly = fc
  .array(fc.tuple(whole, fc.constantFrom(' ', '\n', '', '||')), { maxLength: 6 })
  .map((all) => all.flat().join(''));

/** Texts that are hard to cut: most of them no statement, many of them open to their end. */
export const adversarialSql = fc.oneof(
  chaos,
  orderly,
  fc.tuple(orderly, chaos).map((both) => both.join('')),
);

/** Nothing but strings, whole ones and broken ones, with what may stand between their parts. */
export const adversarialStrings = fc.oneof(
  parts,
  fc
    .array(fc.oneof(opening, gap, inside, fc.constantFrom("'", '\\', "\\'", "'\n'", "' --\n'")), {
      minLength: 1,
      maxLength: 8,
    })
    .map((all) => all.join('')),
);
