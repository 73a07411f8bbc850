import type { NamedObject, Oid } from '../../database/read-call-facts.ts';
import type { BodyAnswer, WrittenName } from './body-references.ts';
import type { References } from './tree-references.ts';

export interface NamedAnswer {
  readonly found: Pick<References, 'functions' | 'relations' | 'types'>;
  /** Names that were not looked up yet. */
  readonly missing: readonly string[];
}

/**
 * What the names of a body may mean along a search path. A call with a schema before it is that schema's; what stands
 * before any other name may be a schema, a table or a variable.
 */
export function namedIn(
  { calls, names, attributes }: Extract<BodyAnswer, { kind: 'read' }>,
  known: ReadonlyMap<string, readonly NamedObject[]>,
  schemas: ReadonlySet<string>,
): NamedAnswer {
  const meant = ({ schema, name }: WrittenName, kind: NamedObject['kind'], isStrict: boolean) =>
    (known.get(name) ?? []).filter(
      (each) =>
        each.kind === kind &&
        (isNamed(each, schema) || ((schema === null || !isStrict) && schemas.has(each.schema))),
    );
  const onRows = attributes.flatMap((name) =>
    (known.get(name) ?? []).filter(({ isAttribute, schema }) => isAttribute && schemas.has(schema)),
  );
  return {
    found: {
      functions: oidsOf([...calls.flatMap((call) => meant(call, 'function', true)), ...onRows]),
      relations: oidsOf(names.flatMap((name) => meant(name, 'relation', false))),
      types: oidsOf(names.flatMap((name) => meant(name, 'type', false))),
    },
    missing: [...new Set(names.map(({ name }) => name))].filter((name) => !known.has(name)),
  };
}

/** `pg_temp` is another name of the session's own schema. */
function isNamed(object: NamedObject, schema: string | null): boolean {
  return object.schema === schema || (schema === 'pg_temp' && object.schema.startsWith('pg_temp'));
}

function oidsOf(objects: readonly NamedObject[]): readonly Oid[] {
  return [...new Set(objects.map(({ oid }) => oid))];
}
