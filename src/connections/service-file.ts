import type { TargetParameters } from '../database/target.ts';
import { type NamedTarget, readTargetOf } from './named-target.ts';

/** Parameters of each service by its name. */
export type Services = ReadonlyMap<string, TargetParameters>;

const mostServices = 1_000;

/**
 * Reads a `pg_service.conf`: `[service]`, then `parameter=value` lines, `#` for comments. Of two services with one name, and of two
 * values of one parameter, the first counts (libpq fe-connect.c, parseServiceFile). LDAP addresses are not asked.
 *
 * Written here since readers of INI files know quotes, escapes and comments behind values, all of which libpq takes literally.
 */
export function parseServiceFile(text: string): Services {
  const services = new Map<string, Record<string, string>>();
  let current: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('[') && line.endsWith(']')) {
      const name = line.slice(1, -1);
      current = Object.create(null) as Record<string, string>;
      if (!services.has(name) && services.size < mostServices) services.set(name, current);
    } else if (current !== undefined) addParameter(current, line);
  }
  return services;
}

function addParameter(service: Record<string, string>, line: string): void {
  const equals = line.indexOf('=');
  if (equals < 1) return;
  const key = line.slice(0, equals).trim();
  service[key] ??= line.slice(equals + 1).trim();
}

/** A service without a user is that of the operating system's user; one that says nothing is none. */
export function connectionsInServices(services: Services, osUser?: string): readonly NamedTarget[] {
  const isSaid = (parameters: TargetParameters): boolean =>
    ['host', 'hostaddr', 'dbname', 'user'].some((key) => parameters[key]);
  return [...services].flatMap(([name, parameters]) =>
    isSaid(parameters)
      ? readTargetOf(
          name,
          { ...parameters, host: parameters['host'] || parameters['hostaddr'] },
          osUser,
        )
      : [],
  );
}
