import type { Driver } from '../model/drivers.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** The same answers, but pools and clients of other databases are what any package gives. */
export function knowingPostgresqlOnly(resolver: Resolver): Resolver {
  let local: Resolver | undefined;
  let near: Resolver | undefined;
  return {
    reader: resolver.reader,
    abstractValueOf: (node, file) => hidden(resolver.abstractValueOf(node, file)),
    returnedBy: (fn) => hidden(resolver.returnedBy(fn)),
    memberOf: (object, name) => hidden(resolver.memberOf(object, name)),
    importedFrom: (specifier, name, importer) =>
      hidden(resolver.importedFrom(specifier, name, importer)),
    valueOfVariable: (variable, file) => hidden(resolver.valueOfVariable(variable, file)),
    inFile: (file, question, find, family) => hidden(resolver.inFile(file, question, find, family)),
    knownIn: (file, question) => resolver.knownIn(file, question),
    once: (node, find) => resolver.once(node, find),
    onceNamed: (subject, name, find) => resolver.onceNamed(subject, name, find),
    get local() {
      return (local ??= knowingPostgresqlOnly(resolver.local));
    },
    get near() {
      return (near ??= knowingPostgresqlOnly(resolver.near));
    },
  };
}

function hidden(value: AbstractValue | undefined): AbstractValue | undefined {
  const driver = driverOf(value);
  return driver === undefined || driver.database === 'postgresql'
    ? value
    : {
        kind: 'package',
        module: driver.module,
        name: value?.kind === 'driver' ? value.name : '*',
      };
}

function driverOf(value: AbstractValue | undefined): Driver | undefined {
  switch (value?.kind) {
    case 'pool':
    case 'client':
    case 'connection':
    case 'driver':
      return value.driver;
    case 'either':
      return value.pool.driver;
    case 'method':
      return value.of.driver;
    default:
      return undefined;
  }
}
