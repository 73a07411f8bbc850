import { toPlainText } from '../activity/plain-text.ts';
import { showHidden } from '../text/hidden.ts';

/** What a reader answers for a value that is not of its kind. */
export const wrong = Symbol('wrong');

/** Makes a value of a type anew out of what somebody else has sent; nothing that the type does not name survives. */
export type Read<Type> = (value: unknown) => Type | typeof wrong;

/** Text that shows what it says, cut at a length. A character that hides or reorders text becomes its escape. */
export function text(longest: number): Read<string> {
  return (value) => (typeof value === 'string' ? cutShown(value, longest, toPlainText) : wrong);
}

/** A path, in which a second blank counts. */
export function pathText(longest: number): Read<string> {
  return (value) => (typeof value === 'string' ? cutShown(value, longest, showPath) : wrong);
}

/** At most so many UTF-16 units of what `show` makes of a text. A cut through an emoji is shown as one, so that reading the result again changes nothing. */
function cutShown(value: string, longest: number, show: (text: string) => string): string {
  let shown = show(value.slice(0, longest));
  while (shown.length > longest) shown = show(shown.slice(0, longest));
  return shown;
}

function showPath(path: string): string {
  return showHidden(path).replace(/[\t\n\r]/g, (blank) => blanks[blank] ?? blank);
}

const blanks: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export function within(lowest: number, highest: number): Read<number> {
  return (value) =>
    typeof value === 'number' && value >= lowest && value <= highest ? value : wrong;
}

export function whole(lowest: number, highest: number): Read<number> {
  const inRange = within(lowest, highest);
  return (value) => (Number.isInteger(value) ? inRange(value) : wrong);
}

export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : wrong);

export function oneOf<const Type extends string | number>(...values: readonly Type[]): Read<Type> {
  return (value) => values.find((each) => each === value) ?? wrong;
}

export function nullable<Type>(read: Read<Type>): Read<Type | null> {
  return (value) => (value === null ? null : read(value));
}

/** The first `longest` of a list; what comes after them is not looked at. */
export function listOf<Type>(read: Read<Type>, longest: number): Read<readonly Type[]> {
  return (value) => {
    if (!Array.isArray(value)) return wrong;
    const items = value.slice(0, longest).map((each) => read(each));
    return items.every((each): each is Exclude<typeof each, typeof wrong> => each !== wrong)
      ? items
      : wrong;
  };
}

type Readers<Type> = { readonly [Key in keyof Type]-?: Read<Exclude<Type[Key], undefined>> };

/** An object with these fields. A field named in `optional` may be missing. */
export function object<Type>(
  readers: Readers<Type>,
  optional: readonly (keyof Type)[] = [],
): Read<Type> {
  const rows = Object.entries<Read<unknown>>(readers);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
    const given = new Map<string, unknown>(Object.entries(value));
    const fields: [string, unknown][] = [];
    for (const [name, read] of rows) {
      if (!given.has(name) && optional.some((each) => each === name)) continue;
      const field = read(given.get(name));
      if (field === wrong) return wrong;
      fields.push([name, field]);
    }
    // Each field has been read by the reader that the type asks for.
    return Object.fromEntries(fields) as Type;
  };
}
