import * as v from 'valibot';
import { whole } from '../schema/fields.ts';
import { whatIsWrong } from '../schema/what-is-wrong.ts';

export type Severity = 'off' | 'warn' | 'error';

/** What a configuration says of a rule. */
export interface RuleEntry {
  readonly severity: Severity;
  /** Empty where only a severity is written, which leaves the options as they are. */
  readonly options: readonly unknown[];
}

const severities = new Map<string, Severity>([
  ['off', 'off'],
  ['0', 'off'],
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['1', 'warn'],
  ['error', 'error'],
  ['2', 'error'],
]);

const spelling =
  "Write a severity (off, warn or error), or a list of it and the rule's options, for example [error, { allow: [set] }]";

/** Reads what is written of a rule as ESLint does: a severity, or a list of one and an object of options. A sentence without its full stop where it is neither. */
export function readEntry(
  value: unknown,
  { id, options: schemas = {} }: { readonly id: string; readonly options?: Schemas },
): RuleEntry | string {
  const [word, ...options] = Array.isArray(value) ? (value as unknown[]) : [value];
  const severity = severities.get(String(word));
  if (severity === undefined) return `${id} has no severity. ${spelling}`;
  if (options.length > 0 && Object.keys(schemas).length === 0) return `${id} has no options`;
  const read = v.safeParse(v.pipe(v.array(optionsSchema(schemas)), v.maxLength(1)), options);
  return read.success
    ? { severity, options }
    : `the options of ${id} are not valid: ${whatIsWrong(read.issues).replace(/^\[0\]\.?/u, '')}`;
}

/** The JSON schemas of what a rule's one options object may have. */
export type Schemas = Readonly<Record<string, object>>;

function optionsSchema(options: Schemas): v.GenericSchema {
  return v.strictObject(
    Object.fromEntries(
      Object.entries(options).map(([name, schema]) => [name, v.exactOptional(schemaOf(schema))]),
    ),
  );
}

interface JsonSchema {
  readonly type?: string;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The kinds of JSON schema that rules have for an option. */
const kinds: Readonly<Record<string, (schema: JsonSchema) => v.GenericSchema>> = {
  boolean: () => v.boolean(),
  string: () => v.string(),
  integer: ({ minimum = -Infinity, maximum = Infinity }) => whole(minimum, maximum),
  array: ({ items = {} }) => v.array(schemaOf(items)),
};

function schemaOf(schema: JsonSchema): v.GenericSchema {
  if (schema.enum !== undefined) return v.picklist(schema.enum);
  const kind = kinds[schema.type ?? ''];
  if (kind === undefined)
    throw new Error(`A rule has an option of the unknown type ${schema.type}.`);
  return kind(schema);
}

/** Of the one options object that a rule may have. */
export function optionsIn(schema: unknown): Schemas {
  const [only] = schema as readonly { readonly properties?: Schemas }[];
  return only?.properties ?? {};
}
