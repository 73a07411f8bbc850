import type { CallEnvironment, FunctionFacts } from '../../src/database/read-call-facts.ts';
import {
  toKnownFunction,
  type CallBook,
  type KnownFunction,
} from '../../src/probe/calls/call-book.ts';

/** A function in PL/pgSQL that an ordinary role owns, changed as given. */
export function aFunction(change: Partial<FunctionFacts> = {}): KnownFunction {
  return toKnownFunction({
    oid: 20_000,
    schema: 'public',
    name: 'f',
    arguments: 'integer',
    language: 'plpgsql',
    kind: 'f',
    volatility: 'v',
    isDefiner: false,
    owner: 'app',
    isOwn: false,
    isOfSuperuser: false,
    extension: null,
    settings: [],
    source: 'BEGIN RETURN 1; END',
    tree: null,
    defaults: null,
    parts: [],
    types: [],
    ...change,
  });
}

const environment: CallEnvironment = {
  role: 'app',
  isSuperuser: false,
  schemas: ['pg_catalog', 'public'],
  operators: [],
  domains: [],
};

/** A catalog with nothing in it but what is given. */
export function aBook(change: Partial<CallBook> = {}): CallBook {
  return {
    environment,
    functions: new Map(),
    operators: new Map(),
    types: new Map(),
    relations: new Map(),
    names: new Map(),
    ...change,
  };
}
