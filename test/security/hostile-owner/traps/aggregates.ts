import { evil } from './notes.ts';

/** A twin of an aggregate function, which needs a step of its own. */
interface AggregateTwin {
  readonly name: string;
  /** Types of its arguments, `*` for none. */
  readonly takes: string;
  readonly state: string;
  /** The next state, of `$1`, the state, and `$2`, … */
  readonly step: string;
  readonly initial?: string;
}

const numbers = ['int4', 'int8', 'numeric', 'float8'] as const;
const ordered = ['int4', 'int8', 'text', 'name', 'timestamptz', 'float8', 'numeric'] as const;

const twins: readonly AggregateTwin[] = [
  { name: 'count', takes: '*', state: 'int8', step: '$1 OPERATOR(pg_catalog.+) 1', initial: '0' },
  {
    name: 'count',
    takes: 'anyelement',
    state: 'int8',
    step: '$1 OPERATOR(pg_catalog.+) 1',
    initial: '0',
  },
  ...numbers.map((type) => ({
    name: 'sum',
    takes: type,
    state: 'numeric',
    step: 'coalesce($1, 0) OPERATOR(pg_catalog.+) $2::pg_catalog.numeric',
  })),
  ...numbers.map((type) => ({
    name: 'avg',
    takes: type,
    state: 'numeric',
    step: 'coalesce($1, $2::pg_catalog.numeric)',
  })),
  ...ordered.map((type) => ({ name: 'max', takes: type, state: type, step: 'GREATEST($1, $2)' })),
  ...ordered.map((type) => ({ name: 'min', takes: type, state: type, step: 'LEAST($1, $2)' })),
  { name: 'bool_or', takes: 'bool', state: 'bool', step: 'coalesce($1, false) OR $2' },
  { name: 'bool_and', takes: 'bool', state: 'bool', step: 'coalesce($1, true) AND $2' },
  { name: 'every', takes: 'bool', state: 'bool', step: 'coalesce($1, true) AND $2' },
  { name: 'string_agg', takes: 'text, text', state: 'text', step: 'pg_catalog.concat($1, $3, $2)' },
  {
    name: 'array_agg',
    takes: 'anyelement',
    state: 'anyarray',
    step: 'pg_catalog.array_append($1, $2)',
    initial: '{}',
  },
  {
    name: 'json_agg',
    takes: 'anyelement',
    state: 'jsonb',
    step: 'coalesce($1, $q$[]$q$::pg_catalog.jsonb) OPERATOR(pg_catalog.||) pg_catalog.to_jsonb($2)',
  },
  {
    name: 'jsonb_agg',
    takes: 'anyelement',
    state: 'jsonb',
    step: 'coalesce($1, $q$[]$q$::pg_catalog.jsonb) OPERATOR(pg_catalog.||) pg_catalog.to_jsonb($2)',
  },
];

/** A statement for each. */
export const aggregateTwins: readonly string[] = twins.map(
  ({ name, takes, state, step, initial }, at) => {
    const more = takes === '*' ? '' : `, ${takes}`;
    return `
    CREATE FUNCTION ${evil}.step_${at}(${state}${more}) RETURNS ${state} LANGUAGE sql AS $b$ SELECT ${evil}.noted('aggregate ${name}(${takes})'); SELECT ${step} $b$;
    CREATE AGGREGATE ${evil}.${name}(${takes}) (SFUNC = ${evil}.step_${at}, STYPE = ${state}${initial === undefined ? '' : `, INITCOND = '${initial}'`})`;
  },
);

/** Functions of any number of arguments of any type can be met for some of them only. */
const shapes = [
  'text',
  'text, text',
  'text, text, text',
  'text, text, text, text',
  'text, name',
  'text, name, text, name',
  'text, text, text, name, text, int4, text, bool',
  'text, text, text, text, text, int4, text, bool',
] as const;
const anyTaking = [
  ['json_build_object', 'json'],
  ['jsonb_build_object', 'jsonb'],
  ['json_build_array', 'json'],
  ['concat', 'text'],
  ['concat_ws', 'text'],
  ['format', 'text'],
] as const;

export const anyTakingTwins: readonly string[] = anyTaking.flatMap(([name, result]) =>
  shapes.map((types) => {
    const passed = types
      .split(', ')
      .map((_, at) => `$${at + 1}`)
      .join(', ');
    return `CREATE FUNCTION ${evil}.${name}(${types}) RETURNS ${result} LANGUAGE sql AS $b$ SELECT ${evil}.noted('function ${name}(${types})'); SELECT pg_catalog.${name}(${passed}) $b$`;
  }),
);
