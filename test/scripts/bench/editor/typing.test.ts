import { expect, test } from 'vitest';
import { generateService } from '../../../../scripts/bench/generated-service.ts';
import { type, typeBetween, type Keystroke } from '../../../../scripts/bench/editor/typing.ts';

function apply(text: string, keystrokes: readonly Keystroke[]): string {
  return keystrokes.reduce((before, { at, text: typed }) => {
    const lines = before.split('\n');
    const line = lines[at.line] ?? '';
    return [
      ...lines.slice(0, at.line),
      line.slice(0, at.character) + typed + line.slice(at.character),
      ...lines.slice(at.line + 1),
    ].join('\n');
  }, text);
}

test('a statement is typed character by character, with pairs that the editor closes', () => {
  const keystrokes = type("log('a');", 0, 2);
  expect(keystrokes.map(({ text }) => text)).toEqual(['l', 'o', 'g', '()', "''", 'a', ';']);
  expect(apply('  ', keystrokes)).toBe("  log('a');");
});

test('typing goes all over a text and leaves whole statements in it', () => {
  const text = generateService(2000, 60);
  const keystrokes = typeBetween(text, 180);
  expect(keystrokes.length).toBeGreaterThanOrEqual(180);
  expect(new Set(keystrokes.map(({ at }) => at.line)).size).toBeGreaterThan(5);
  const added = apply(text, keystrokes)
    .split('\n')
    .filter((line) => !text.includes(line));
  expect(added.map((line) => line.trim())).toContain("log('checked', Date.now());");
});
