import fc from 'fast-check';

/** What a database may say to whoever shows it: markup, formulas, escape sequences, text that runs backwards, half characters. */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror="document.title=1">',
  '</td></tr></table><script>document.title = 1</script>',
  '"><svg/onload=alert(1)>',
  '&lt;b&gt;&#x1F600;',
  "'; DROP TABLE users; --",
  '=HYPERLINK("http://evil.example","click")',
  '+1+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  'a|b\\|c`d``e`',
  '`',
  '\\',
  '[x](javascript:alert(1))',
  '![x](http://evil.example/x.png)',
  'https://evil.example www.evil.example a@evil.example',
  '$x$',
  '# head',
  '\u001B]0;title\u0007\u001B[31mred\u001B[0m',
  'abc\u202Ecba\u2066x\u2069',
  '\uFEFFbom',
  '\u0000nul\u0001',
  '\uD800half',
  'c1\u009B31m\u0090',
  'zero\u200Bwidth\u2060\uFEFF\u00AD',
  'join\u200Der\u200C',
  'fill\u3164er\u{E0101}\uFE0F',
  'tags\u{E0001}\u{E0068}\u{E0069}',
  'end\uFFFE',
  'family \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F',
  '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
  'one\r\ntwo\nthree\u2028four\u0085five',
  '"quoted", and more',
  '{{constructor.constructor("return 1")()}}',
  '${1 + 1}',
  '__proto__',
  'naïve 日本 😀 שלום',
];

/** Characters that hide, reorder or steer: each block of them with its ends, and what Unicode marks as drawn as nothing. */
export const hiddenText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '\u200B',
    '\u200D',
    '\u2060',
    '\uFEFF',
    '\u00AD',
    '\u061C',
    '\u202E',
    '\u2069',
    '\u009B',
    '\u007F',
    '\u0000',
    '\u001B',
    '\u2028',
    '\u2029',
    '\u0085',
    '\u3164',
    '\uFE0F',
    '\uD800',
    '\uDFFF',
    '\uFFFE',
    '\u{E0041}',
    '\u{E0101}',
    '\u{1D173}',
  ),
  ...(
    [
      [0x00, 0x08],
      [0x0e, 0x1f],
      [0x7f, 0x9f],
      [0x200b, 0x200f],
      [0x2028, 0x202e],
      [0x2060, 0x206f],
      [0xe0000, 0xe007f],
      [0xe0100, 0xe01ef],
    ] as const
  ).map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))),
);

/** Words with such characters anywhere in them. */
export const textWithHidden: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      hiddenText,
      fc.constantFrom(...hostileTexts, 'api', ' ', '"', '\\', '&#x202e;', '\\u200b'),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  textWithHidden,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom(...hostileTexts, '|', '`', '"', ',', '\n', ' ', '<', 'x'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);

/** What may stand nowhere in a file or in JSON; written out, and not as the product has it. Tabs and line breaks are no part of it. */
export const rawHidden =
  /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\p{Cf}\p{Cs}]/u;

/** The same without what stands in emoji and in joined letters, where people see it. */
export const rawHiddenFromPeople =
  /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFFE\uFFFF\u{E0100}-\u{E01EF}\p{Cs}]/u;
