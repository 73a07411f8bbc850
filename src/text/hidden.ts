interface CharacterRow {
  readonly what: string;
  /** As it stands between the brackets of a regular expression with the flag `v`. */
  readonly set: string;
}

/**
 * Characters that nobody sees, or that change how others are seen or read. By property rather than by number, for
 * Unicode adds to them: `Cf` holds the bidirectional controls, the zero-width characters, the soft hyphen, the byte
 * order mark and the tags, which spell whole sentences that only a program reads.
 */
export const hiddenCharacters: readonly CharacterRow[] = [
  { what: 'control characters: C0, DELETE, C1', set: '\\p{Cc}' },
  { what: 'format characters', set: '\\p{Cf}' },
  {
    what: 'line and paragraph separators, which end a line for some readers only',
    set: '\\p{Zl}\\p{Zp}',
  },
  { what: 'half characters', set: '\\p{Cs}' },
  {
    what: 'what is drawn as nothing: variation selectors, fillers',
    set: '\\p{Default_Ignorable_Code_Point}',
  },
  { what: 'code points that will never be characters', set: '\\p{Noncharacter_Code_Point}' },
];

interface SequenceRow {
  readonly what: string;
  /** As a regular expression with the flag `v` has it. */
  readonly pattern: string;
}

/** Arabic letters that join the one after them (Joining_Type D). */
const joining =
  '[\\u0626\\u0628\\u062A-\\u062E\\u0633-\\u063F\\u0641-\\u0647\\u0649\\u064A\\u0678-\\u0687\\u069A-\\u06BF' +
  '\\u06C1\\u06C2\\u06CC\\u06CE\\u06D0\\u06D1\\u06FA-\\u06FC]';

/** Where a hidden character changes what is drawn, so that leaving it out would be seen. Anywhere else it hides. */
const drawnSequences: readonly SequenceRow[] = [
  // What it may begin with is asked first, for the list of emoji is long.
  {
    what: 'emoji that Unicode recommends',
    pattern: '(?=\\p{Extended_Pictographic}|[0-9#*]\\uFE0F)\\p{RGI_Emoji}',
  },
  {
    what: 'a break between two Arabic letters that would join',
    pattern: `(?<=${joining})\\u200C(?=[[\\p{Script=Arabic}&&\\p{Lo}]--\\u0621])`,
  },
  {
    what: 'a virama that shows itself, or a half form, in the scripts of India that have them',
    pattern:
      '(?<=[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0C4D\\u0CCD\\u0D4D\\u0DCA])[\\u200C\\u200D](?=\\p{Lo})',
  },
  {
    what: 'signs that enclose the digits after them',
    pattern: '[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]',
  },
];

const anyHidden = `[[${hiddenCharacters.map(({ set }) => set).join('')}]--[\\t\\n\\r]]`;
const hidden = new RegExp(anyHidden, 'v');
const eachHidden = new RegExp(anyHidden, 'gv');
/** Made for the first text that needs it: the list of emoji takes longer to read than most of what is loaded with it. */
const eachHiddenOrDrawn = onDemand(
  () =>
    new RegExp(
      `(?<drawn>${drawnSequences.map(({ pattern }) => pattern).join('|')})|${anyHidden}`,
      'gv',
    ),
);

/** Whether a text has a hidden character; tabs and line breaks are none. */
export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

/**
 * For files, which are read by programs as well as by people: each hidden character as an escape, `\u009b` or
 * `\u{e0041}`, without exception. Tabs and line breaks stay.
 */
export function escapeHidden(text: string): string {
  return text.replace(eachHidden, visibleEscape);
}

/** For people: the same, but emoji, and letters that need a joiner to be spelt, stay whole. */
export function showHidden(text: string): string {
  if (!hasHidden(text)) return text;
  return text.replace(
    eachHiddenOrDrawn(),
    (found, drawn: string | undefined) => drawn ?? visibleEscape(found),
  );
}

/** For JSON and JavaScript, whose escapes name halves of characters: `\udb40\udc41`. Line breaks stay. */
export function escapeHiddenUnits(text: string): string {
  return text.replace(eachHidden, (found) => found.split('').map(unitEscape).join(''));
}

function onDemand<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

function visibleEscape(character: string): string {
  return character.length === 1
    ? unitEscape(character)
    : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function unitEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
