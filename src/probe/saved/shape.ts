/**
 * What a value of a type looks like, for data that somebody else may have written. Gives the first thing that is not as it
 * should be, for example "sizes[2].throughput is no number", or null. The type parameter ties a shape to the type that it
 * stands for, so that a field that is added there is missed here by the compiler.
 */
export interface Shape<Type> {
  readonly check: (value: unknown, path: string) => string | null;
  /** Never there: it only carries the type, in both directions, so that a shape of a narrower type is none of a wider one. */
  readonly type?: (value: Type) => Type;
}

/** A field that may be missing has a shape that allows `undefined`, whatever the type says of `undefined` itself. */
export type Fields<Type> = {
  readonly [Key in keyof Type]-?: object extends Pick<Type, Key>
    ? Shape<Type[Key] | undefined>
    : Shape<Type[Key]>;
};

function shape<Type>(isRight: (value: unknown) => boolean, what: string): Shape<Type> {
  return { check: (value, path) => (isRight(value) ? null : `${path} is no ${what}`) };
}

export const text: Shape<string> = shape((value) => typeof value === 'string', 'text');
export const number: Shape<number> = shape(
  (value) => typeof value === 'number' && Number.isFinite(value),
  'number',
);
/** What stands on a logarithmic axis. */
export const positive: Shape<number> = shape(
  (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  'number above 0',
);
export const flag: Shape<boolean> = shape((value) => typeof value === 'boolean', 'true or false');

export function literal<const Type extends string | number>(
  ...values: readonly Type[]
): Shape<Type> {
  return {
    check: (value, path) =>
      values.some((each) => each === value) ? null : `${path} is none of ${values.join(', ')}`,
  };
}

export function nullable<Type>(inner: Shape<Type>): Shape<Type | null> {
  return { check: (value, path) => (value === null ? null : inner.check(value, path)) };
}

export function optional<Type>(inner: Shape<Type>): Shape<Type | undefined> {
  return { check: (value, path) => (value === undefined ? null : inner.check(value, path)) };
}

export function list<Type>(inner: Shape<Type>): Shape<readonly Type[]> {
  return {
    check: (value, path) =>
      Array.isArray(value)
        ? first(value.map((each, index) => [inner, each, `${path}[${index}]`]))
        : `${path} is no list`,
  };
}

export function pair<Type>(inner: Shape<Type>): Shape<readonly [Type, Type]> {
  return {
    check: (value, path) =>
      Array.isArray(value) && value.length === 2
        ? list(inner).check(value, path)
        : `${path} is no pair`,
  };
}

export function record<Type>(inner: Shape<Type>): Shape<Readonly<Record<string, Type>>> {
  return {
    check: (value, path) =>
      isObject(value)
        ? first(Object.entries(value).map(([key, each]) => [inner, each, `${path}.${key}`]))
        : `${path} is no object`,
  };
}

/** Fields beyond these do no harm. */
export function object<Type>(fields: Fields<Type>): Shape<Type> {
  return {
    check: (value, path) =>
      isObject(value)
        ? first(
            Object.entries<Pick<Shape<unknown>, 'check'>>(fields).map(([key, inner]) => [
              inner,
              value[key],
              path === '' ? key : `${path}.${key}`,
            ]),
          )
        : `${path === '' ? 'it' : path} is no object`,
  };
}

function first(
  parts: readonly (readonly [Pick<Shape<unknown>, 'check'>, unknown, string])[],
): string | null {
  for (const [inner, value, path] of parts) {
    const wrong = inner.check(value, path);
    if (wrong !== null) return wrong;
  }
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
