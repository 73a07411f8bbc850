import {
  firstOwnOid,
  type FunctionFacts,
  type Oid,
  type RelationPart,
} from '../../database/read-call-facts.ts';
import type { CallBook, KnownFunction, MissingFacts } from './call-book.ts';
import { namedIn } from './named-in.ts';
import { appliesTo, labelOfPart } from './relation-parts.ts';
import { readTree, type References } from './tree-references.ts';

/** What calls something, and what calls that; a root has nothing above it. */
export interface Caller {
  /** For example "view public.order_list", "public.order_total(integer)"; of a root "the statement". */
  readonly label: string;
  readonly above: Caller | null;
  /** The name by which this caller is allowed with what it calls; null where it has none. */
  readonly allowedAs: string | null;
}

/** Where a closure begins. */
export interface Root {
  readonly caller: Caller;
  readonly references: Partial<References>;
}

export interface ClosureRules {
  /** The transaction may write, so that triggers, defaults and rules run. */
  readonly isWriting: boolean;
  /** Qualified names: what they call is not looked at. */
  readonly allowed: ReadonlySet<string>;
}

export interface Called<Facts> {
  readonly facts: Facts;
  readonly by: Caller;
}

export interface Closure {
  readonly functions: readonly Called<KnownFunction>[];
  readonly foreignTables: readonly Called<RelationPart>[];
  /** What has to be read before the closure is whole. */
  readonly missing: MissingFacts;
}

type Kind = 'function' | 'operator' | 'type' | 'relation';

interface Found {
  readonly kind: Kind;
  readonly oid: Oid;
  readonly by: Caller;
  readonly isWritten: boolean;
}

/** What names and values mean in bodies that are text; known once all of them were met. */
interface Scope {
  /** The search path, and what functions add to it while they run. */
  readonly schemas: Set<string>;
  /** A body may use any cast of a type that is met. */
  hasBodies: boolean;
}

/** More than any statement of an application calls. */
const mostFound = 20_000;

/**
 * Everything that roots call, directly or through what they call, as far as the book goes. `null` when that is more
 * than can be judged.
 */
export function closeOver(
  roots: readonly Root[],
  book: CallBook,
  rules: ClosureRules,
): Closure | null {
  let scope: Scope = { schemas: new Set(book.environment.schemas), hasBodies: false };
  for (;;) {
    const walk = new Walk(book, rules, scope);
    if (!walk.run(roots)) return null;
    if (walk.scope.schemas.size === scope.schemas.size && walk.scope.hasBodies === scope.hasBodies)
      return walk.closure();
    scope = walk.scope;
  }
}

export function qualifiedName({
  schema,
  name,
}: {
  readonly schema: string;
  readonly name: string;
}): string {
  return `${schema}.${name}`;
}

/** A function with the types of its arguments. */
export function signatureOf(facts: Pick<FunctionFacts, 'schema' | 'name' | 'arguments'>): string {
  return `${qualifiedName(facts)}(${facts.arguments})`;
}

/** Written by a superuser, as what comes with PostgreSQL is: its body needs no look. */
export function isOfTrustedExtension({
  extension,
  language,
  isOfSuperuser,
}: FunctionFacts): boolean {
  return extension !== null && (isOfSuperuser || isCompiled(language));
}

/** Only a superuser makes functions of these languages. */
export function isCompiled(language: string): boolean {
  return language === 'c' || language === 'internal';
}

const nothing: References = { functions: [], operators: [], types: [], relations: [], written: [] };

/** One pass over what is called, in the scope that the pass before it met. */
class Walk {
  readonly scope: Scope;
  readonly #book: CallBook;
  readonly #rules: ClosureRules;
  readonly #seen = new Map<string, Found>();
  /**
   * Keys of what is not expanded yet. Relations come first, whose views and policies the rewritten statement holds as
   * well: the nearer caller says more.
   */
  readonly #open: { readonly relations: string[]; readonly others: string[] } = {
    relations: [],
    others: [],
  };
  readonly #missing = {
    functions: new Set<Oid>(),
    operators: new Set<Oid>(),
    types: new Set<Oid>(),
    relations: new Set<Oid>(),
    names: new Set<string>(),
  };

  constructor(book: CallBook, rules: ClosureRules, { schemas, hasBodies }: Scope) {
    this.#book = book;
    this.#rules = rules;
    this.scope = { schemas: new Set(schemas), hasBodies };
  }

  /** False when there is too much. */
  run(roots: readonly Root[]): boolean {
    for (const { caller, references } of roots) this.#findAll(references, caller);
    for (let found = this.#next(); found !== undefined; found = this.#next()) {
      if (this.#seen.size > mostFound) return false;
      this.#expand(found);
    }
    return true;
  }

  #next(): Found | undefined {
    const key = this.#open.relations.shift() ?? this.#open.others.shift();
    return key === undefined ? undefined : this.#seen.get(key);
  }

  closure(): Closure {
    const found = [...this.#seen.values()];
    const functions = found.flatMap(({ kind, oid, by }) => {
      const facts = kind === 'function' ? this.#book.functions.get(oid) : null;
      return facts === undefined || facts === null ? [] : [{ facts, by }];
    });
    const foreignTables = found.flatMap(({ kind, oid, by }) => {
      const facts =
        kind === 'relation'
          ? this.#book.relations.get(oid)?.find((part) => part.kind === 'relation')
          : undefined;
      return facts?.relationKind === 'f' ? [{ facts, by }] : [];
    });
    return { functions, foreignTables, missing: this.#missing };
  }

  #findAll(references: Partial<References>, by: Caller, isWritten = false): void {
    const { functions, operators, types, relations, written } = { ...nothing, ...references };
    const changed = new Set(written);
    for (const oid of functions) this.#find({ kind: 'function', oid, by, isWritten: false });
    for (const oid of operators) this.#find({ kind: 'operator', oid, by, isWritten: false });
    for (const oid of types) this.#find({ kind: 'type', oid, by, isWritten: false });
    for (const oid of relations)
      this.#find({
        kind: 'relation',
        oid,
        by,
        isWritten: this.#rules.isWriting && (isWritten || changed.has(oid)),
      });
  }

  /** What PostgreSQL brings besides functions calls nothing of the database. */
  #find(found: Found): void {
    if (found.oid === 0 || (found.kind !== 'function' && found.oid < firstOwnOid)) return;
    const key = `${found.kind} ${found.oid}${found.isWritten ? ' written' : ''}`;
    const earlier = this.#seen.get(key);
    if (earlier === undefined) {
      this.#seen.set(key, found);
      this.#open[found.kind === 'relation' ? 'relations' : 'others'].push(key);
    } else if (
      earlier.by.above === null &&
      found.by.above?.above === null &&
      found.by.allowedAs === null
    ) {
      this.#seen.set(key, found);
    }
  }

  #expand({ kind, oid, by, isWritten }: Found): void {
    switch (kind) {
      case 'function':
        return this.#expandFunction(oid, by);
      case 'operator': {
        const behind = this.#look('operators', oid);
        if (behind !== undefined && behind !== null)
          this.#find({ kind: 'function', oid: behind, by, isWritten: false });
        return;
      }
      case 'type':
        return this.#expandType(oid, by);
      case 'relation':
        return this.#expandRelation(oid, by, isWritten);
    }
  }

  #look<Room extends 'functions' | 'operators' | 'types' | 'relations'>(
    room: Room,
    oid: Oid,
  ): ReturnType<CallBook[Room]['get']> {
    const facts = this.#book[room].get(oid);
    if (facts === undefined) this.#missing[room].add(oid);
    return facts as ReturnType<CallBook[Room]['get']>;
  }

  #expandFunction(oid: Oid, above: Caller): void {
    const facts = this.#look('functions', oid);
    if (facts === undefined || facts === null || oid < firstOwnOid) return;
    const name = qualifiedName(facts);
    if (this.#rules.allowed.has(name)) return;
    const by = { label: signatureOf(facts), above, allowedAs: name };
    this.#findAll({ functions: facts.parts.flatMap((part) => part ?? []), types: facts.types }, by);
    if (facts.defaults !== null) this.#findAll(readTree(facts.defaults), by);
    if (isOfTrustedExtension(facts) && facts.volatility !== 'v') return;
    for (const schema of pathOf(facts.settings, [this.#book.environment.role, facts.owner]))
      this.scope.schemas.add(schema);
    if (facts.tree !== null) this.#findAll(readTree(facts.tree), by, true);
    else this.#expandBody(facts, by);
  }

  #expandBody({ source, body }: KnownFunction, by: Caller): void {
    if (body?.kind !== 'read') return;
    this.scope.hasBodies = true;
    const { found, missing } = namedIn(body, this.#book.names, this.scope.schemas);
    for (const name of missing) this.#missing.names.add(name);
    this.#findAll(found, by, true);
    const meant = this.#book.environment.operators.filter(
      ({ symbol }) => source?.includes(symbol) === true,
    );
    this.#findAll({ operators: meant.map(({ oid }) => oid) }, by);
  }

  #expandType(oid: Oid, above: Caller): void {
    const facts = this.#look('types', oid);
    if (facts === undefined || facts === null) return;
    const by = {
      label: `${facts.checks.length > 0 ? 'domain' : 'type'} ${qualifiedName(facts)}`,
      above,
      allowedAs: null,
    };
    this.#findAll({ types: facts.types, functions: facts.functions }, by);
    if (this.scope.hasBodies) this.#findAll({ functions: facts.casts }, by);
    for (const check of facts.checks) this.#findAll(readTree(check), by);
  }

  #expandRelation(oid: Oid, above: Caller, isWritten: boolean): void {
    for (const part of this.#look('relations', oid) ?? []) {
      if (!appliesTo(part, isWritten)) continue;
      const by =
        part.kind === 'relation' ? above : { label: labelOfPart(part), above, allowedAs: null };
      this.#findAll(
        {
          functions: part.functions ?? [],
          relations: part.relations ?? [],
          types: part.types ?? [],
        },
        by,
        isWritten,
      );
      if (part.tree !== null) this.#findAll(readTree(part.tree), by);
    }
  }
}

/** The schemas that a function puts into its search path; `$user` stands for whoever it may run as. */
function pathOf(settings: readonly string[], users: readonly string[]): readonly string[] {
  const path =
    settings.find((setting) => setting.startsWith('search_path='))?.slice('search_path='.length) ??
    '';
  return path.split(',').flatMap((item) => {
    const name = item
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"');
    return name === '$user' ? users : name === '' ? [] : [name];
  });
}
