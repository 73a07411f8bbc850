import * as v from 'valibot';

/** What a schema gives: to be read, not to be changed. */
export type OutputOf<Schema extends v.GenericSchema> = ReadOnly<v.InferOutput<Schema>>;

type ReadOnly<Type> = unknown extends Type
  ? Type
  : { readonly [Key in keyof Type]: ReadOnly<Type[Key]> };

export const text = v.string();
/** JSON can write one that is not finite: `1e999`. */
export const number = v.pipe(v.number(), v.finite());
/** What stands on a logarithmic axis. */
export const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
export const flag = v.boolean();
/** What is not said is not so. */
export const isTrue = v.fallback(flag, false);
/** An object and no list, which JavaScript takes for one. */
export const record = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.unknown()),
);
/** From the low end to the high one. */
export const range = v.strictTuple([number, number]);

export function within(lowest: number, highest: number) {
  return v.pipe(v.number(), v.minValue(lowest), v.maxValue(highest));
}

export function whole(lowest: number, highest: number) {
  return v.pipe(within(lowest, highest), v.integer());
}

/** An object that is not looked into, since its sender is this program itself. */
export function given<Type extends object>() {
  return v.custom<Type>((value) => typeof value === 'object' && value !== null);
}

/** The first `most` of a list; what comes after them is not looked at. */
export function firstOf<const Item extends v.GenericSchema>(most: number, item: Item) {
  return v.pipe(
    v.unknown(),
    v.transform((all) => (Array.isArray(all) ? (all.slice(0, most) as unknown[]) : all)),
    v.array(item),
  );
}

/** Those of the first `most` of a list that are as they should be; the others are left out. */
export function soundOf<const Item extends v.GenericSchema>(item: Item, most = Infinity) {
  return v.pipe(
    firstOf(most, v.unknown()),
    v.transform((all) => all.flatMap((each) => sound(item, each))),
  );
}

/** Those entries of an object that are as they should be; the others are left out. */
export function soundEntriesOf<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(
    record,
    v.transform((all) =>
      Object.fromEntries(
        Object.entries(all).flatMap(([key, value]) =>
          sound(item, value).map((each) => [key, each] as const),
        ),
      ),
    ),
  );
}

/** None or one. */
function sound<const Item extends v.GenericSchema>(
  item: Item,
  value: unknown,
): v.InferOutput<Item>[] {
  const read = v.safeParse(item, value, { abortEarly: true });
  return read.success ? [read.output] : [];
}
