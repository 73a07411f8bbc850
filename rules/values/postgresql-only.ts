import type { Driver } from '../model/drivers.ts';
import type { Entity } from './entities.ts';
import type { Resolver } from './resolver.ts';

/** The same answers, but pools and clients of other databases are what any package gives. */
export function knowingPostgresqlOnly(resolver: Resolver): Resolver {
  let local: Resolver | undefined;
  let near: Resolver | undefined;
  return {
    reader: resolver.reader,
    entityOf: (node, file) => hidden(resolver.entityOf(node, file)),
    returnedBy: (fn) => hidden(resolver.returnedBy(fn)),
    memberOf: (object, name) => hidden(resolver.memberOf(object, name)),
    importedFrom: (specifier, name, importer) =>
      hidden(resolver.importedFrom(specifier, name, importer)),
    entityOfVariable: (variable, file) => hidden(resolver.entityOfVariable(variable, file)),
    inFile: (file, question, find, family) => hidden(resolver.inFile(file, question, find, family)),
    knownIn: (file, question) => resolver.knownIn(file, question),
    once: (node, find) => resolver.once(node, find),
    unlessAsked: (subject, name, find) => resolver.unlessAsked(subject, name, find),
    get local() {
      return (local ??= knowingPostgresqlOnly(resolver.local));
    },
    get near() {
      return (near ??= knowingPostgresqlOnly(resolver.near));
    },
  };
}

function hidden(entity: Entity | undefined): Entity | undefined {
  const driver = driverOf(entity);
  return driver === undefined || driver.database === 'postgresql'
    ? entity
    : {
        kind: 'package',
        module: driver.module,
        name: entity?.kind === 'driver' ? entity.name : '*',
      };
}

function driverOf(entity: Entity | undefined): Driver | undefined {
  switch (entity?.kind) {
    case 'pool':
    case 'client':
    case 'connection':
    case 'driver':
      return entity.driver;
    case 'either':
      return entity.pool.driver;
    case 'method':
      return entity.of.driver;
    default:
      return undefined;
  }
}
