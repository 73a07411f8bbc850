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
  'one\r\ntwo\nthree\u2028four\u0085five',
  '"quoted", and more',
  '{{constructor.constructor("return 1")()}}',
  '${1 + 1}',
  '__proto__',
  'naïve 日本 😀 שלום',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom(...hostileTexts, '|', '`', '"', ',', '\n', ' ', '<', 'x'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);
