import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlainLines, toPlainText } from '../../../src/activity/plain-text.ts';
import { escapeHidden, hasHidden, hiddenCharacters, showHidden } from '../../../src/text/hidden.ts';
import {
  hiddenText,
  rawHidden,
  rawHiddenFromPeople,
  textWithHidden,
} from '../../support/hostile-text.ts';

test.each([
  ['a C0 control', '\u001B', '\\u001b'],
  ['DELETE', '\u007F', '\\u007f'],
  ['a C1 control', '\u009B', '\\u009b'],
  ['the Arabic letter mark', '\u061C', '\\u061c'],
  ['a mark of direction', '\u200F', '\\u200f'],
  ['an override of direction', '\u202E', '\\u202e'],
  ['an isolate', '\u2066', '\\u2066'],
  ['a space without width', '\u200B', '\\u200b'],
  ['a word joiner', '\u2060', '\\u2060'],
  ['a byte order mark', '\uFEFF', '\\ufeff'],
  ['a soft hyphen', '\u00AD', '\\u00ad'],
  ['a separator of lines', '\u2028', '\\u2028'],
  ['a half of a character', '\uD800', '\\ud800'],
  ['a filler of Hangul', '\u3164', '\\u3164'],
  ['a selector of variants', '\uFE00', '\\ufe00'],
  ['a tag', '\u{E0041}', '\\u{e0041}'],
  ['a supplementary selector', '\u{E0101}', '\\u{e0101}'],
  ['no character at all', '\uFFFE', '\\ufffe'],
])('%s is shown as its escape, to people and in files', (_, character, escape) => {
  expect([
    showHidden(`a${character}b`),
    escapeHidden(`a${character}b`),
    hasHidden(character),
  ]).toEqual([`a${escape}b`, `a${escape}b`, true]);
});

describe('what people see as part of an emoji or of a word stays for them, and only there', () => {
  test.each([
    ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['a red heart', '\u2764\uFE0F'],
    ['a key', '1\uFE0F\u20E3'],
    ['the flag of England', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
    ['a Persian word', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
    ['a half form in Hindi', '\u0915\u094D\u200D\u0937'],
    ['a sign around a number', '\u06DD\u0661'],
  ])('%s', (_, text) => {
    expect(showHidden(text)).toBe(text);
    expect(escapeHidden(text)).not.toMatch(rawHidden);
  });

  test.each([
    ['a joiner between letters', 'a\u200Db', 'a\\u200db'],
    [
      'a joiner of two animals that do not join',
      '\u{1F436}\u200D\u{1F431}',
      '\u{1F436}\\u200d\u{1F431}',
    ],
    ['a selector that changes nothing', '\u{1F436}\uFE0F', '\u{1F436}\\ufe0f'],
    ['a selector after a digit', '1\uFE0F2', '1\\ufe0f2'],
    ['a break after a letter that joins nothing', '\u0627\u200C\u0628', '\u0627\\u200c\u0628'],
    [
      'a flag that nobody has',
      '\u{1F3F4}\u{E0068}\u{E0069}\u{E007F}',
      '\u{1F3F4}\\u{e0068}\\u{e0069}\\u{e007f}',
    ],
  ])('not %s', (_, text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });
});

test('line breaks and tabs are none of it', () => {
  expect([escapeHidden('a\r\n\tb'), toPlainLines('a\r\n\tb\rc'), toPlainText('a\r\n\t b')]).toEqual(
    ['a\r\n\tb', 'a\n\tb\nc', 'a b'],
  );
});

test('two names that differ by such a character look different', () => {
  fc.assert(
    fc.property(hiddenText, (character) => {
      expect(toPlainText(`ap${character}i`)).not.toBe('api');
      expect(toPlainText(`ap${character}i`)).not.toMatch(rawHiddenFromPeople);
    }),
  );
});

test('whatever a text holds, nothing of it is raw, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(textWithHidden, (text) => {
      expect(escapeHidden(text)).not.toMatch(rawHidden);
      expect(showHidden(text)).not.toMatch(rawHiddenFromPeople);
      expect([escapeHidden(escapeHidden(text)), showHidden(showHidden(text))]).toEqual([
        escapeHidden(text),
        showHidden(text),
      ]);
    }),
  );
});

test('a megabyte of emoji and of characters without width is read once', () => {
  const text = '\u2764\uFE0F \u{1F468}\u200D\u{1F469}\u200D\u{1F467} x\u200B'.repeat(100_000);
  expect(showHidden(text)).toHaveLength(text.length + 500_000);
});

test('every row says what it is for', () => {
  expect(hiddenCharacters.filter(({ what, set }) => what === '' || set === '')).toEqual([]);
});
