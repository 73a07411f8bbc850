import {
  firstOwnOid,
  type CallEnvironment,
  type FunctionFacts,
  type NamedObject,
  type Oid,
  type RelationPart,
  type TypeFacts,
} from '../../database/read-call-facts.ts';
import { readBody, type BodyAnswer } from './body-references.ts';

/** A function, and its body read where that is text. */
export interface KnownFunction extends FunctionFacts {
  readonly body: BodyAnswer | null;
}

export function toKnownFunction(facts: FunctionFacts): KnownFunction {
  const isText = facts.tree === null && (facts.language === 'sql' || facts.language === 'plpgsql');
  return {
    ...facts,
    body:
      isText && facts.oid >= firstOwnOid && facts.kind !== 'a'
        ? readBody(facts.source ?? '', facts.language)
        : null,
  };
}

/** What was read of the catalog so far, by OID or name; null for what is not there any more. */
export interface CallBook {
  readonly environment: CallEnvironment;
  readonly functions: ReadonlyMap<Oid, KnownFunction | null>;
  /** The function behind each operator. */
  readonly operators: ReadonlyMap<Oid, Oid | null>;
  readonly types: ReadonlyMap<Oid, TypeFacts | null>;
  /** Empty for a relation that is not there any more. */
  readonly relations: ReadonlyMap<Oid, readonly RelationPart[]>;
  readonly names: ReadonlyMap<string, readonly NamedObject[]>;
}

/** What a book lacks. */
export interface MissingFacts {
  readonly functions: ReadonlySet<Oid>;
  readonly operators: ReadonlySet<Oid>;
  readonly types: ReadonlySet<Oid>;
  readonly relations: ReadonlySet<Oid>;
  readonly names: ReadonlySet<string>;
}
