import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJson } from '../../../src/text/to-json.ts';
import { rawHidden, textWithHidden } from '../../support/hostile-text.ts';

test('characters beyond the first plane are escaped by halves, as JSON has it', () => {
  expect(toJson('a\u009B\u{E0041}\u{1F600}')).toBe('"a\\u009b\\udb40\\udc41\u{1F600}"');
});

test('an indented value keeps its lines', () => {
  expect(toJson({ a: ['\n', '\u007F'] }, 2)).toBe('{\n  "a": [\n    "\\n",\n    "\\u007f"\n  ]\n}');
});

test('whatever stands in a value, in its names too, it parses back to the same and nothing hides in the text', () => {
  fc.assert(
    fc.property(
      fc.dictionary(textWithHidden, fc.oneof(textWithHidden, fc.array(textWithHidden))),
      fc.constantFrom(undefined, 2),
      (value, indent) => {
        const text = toJson(value, indent);
        expect(text).not.toMatch(rawHidden);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      },
    ),
  );
});
