import { CORE_SCHEMA, load, Type } from 'js-yaml';

// Not by a schema: what is read has many spellings and no wrong one, and nothing else in this bundle needs valibot.

/** A service of Compose files as far as connections go, its texts as they are written. */
export interface ComposeService {
  readonly image: string;
  /** One for each file that gives some; the last counts. */
  readonly environments: readonly ReadonlyMap<string, string>[];
  /** Paths relative to the file. */
  readonly envFiles: readonly string[];
  readonly ports: readonly ComposePort[];
  readonly isOnHostNetwork: boolean;
}

export type ComposePort =
  | { readonly kind: 'short'; readonly text: string }
  | {
      readonly kind: 'long';
      readonly target: string;
      readonly published: string;
      readonly hostIp: string;
    };

export type ComposeServices = ReadonlyMap<string, ComposeService>;

/** In characters; longer files are not read. */
export const longestComposeFile = 256 * 1024;
const mostServices = 500;

/** The services of a Compose file; none when it is no YAML, or nests or repeats without measure. Runs nothing. */
export function parseComposeFile(text: string): ComposeServices {
  const services = attempt(() => readYaml(text));
  if (!isRecord(services)) return new Map();
  const environmentOf = oncePerValue(readEnvironment);
  return new Map(
    Object.entries(services)
      .slice(0, mostServices)
      .flatMap(([name, service]) =>
        isRecord(service) ? [[name, readService(service, environmentOf)] as const] : [],
      ),
  );
}

/** By an alias, hundreds of services may have one value. */
function oncePerValue<Made>(make: (value: unknown) => Made): (value: unknown) => Made {
  const made = new Map<unknown, Made>();
  return (value) => {
    const before = made.get(value) ?? make(value);
    made.set(value, before);
    return before;
  };
}

/** An override file on top of another: its values win, its ports are added (Compose's rules for merging). */
export function mergeCompose(below: ComposeServices, above: ComposeServices): ComposeServices {
  const merged = new Map(below);
  for (const [name, service] of above) {
    const other = below.get(name);
    merged.set(
      name,
      other === undefined
        ? service
        : {
            image: service.image === '' ? other.image : service.image,
            environments: [...other.environments, ...service.environments],
            envFiles: [...other.envFiles, ...service.envFiles],
            ports: [...other.ports, ...service.ports],
            isOnHostNetwork: service.isOnHostNetwork || other.isOnHostNetwork,
          },
    );
  }
  return merged;
}

/** With merge keys, and with tags such as Compose's `!reset` and `!override`, which leave their value as it is. */
const composeSchema = CORE_SCHEMA.extend({
  implicit: [
    new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (key) => key === '<<' }),
  ],
  explicit: (['scalar', 'sequence', 'mapping'] as const).map(
    (kind) => new Type('!', { kind, multi: true }),
  ),
});

/** By `json`, the last of doubled keys counts. */
function readYaml(text: string): unknown {
  if (text.length > longestComposeFile) return undefined;
  const root = load(text, { schema: composeSchema, json: true });
  return isRecord(root) ? root['services'] : undefined;
}

/** Undefined when it throws, as a parser does that nests too deep. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readService(
  service: Readonly<Record<string, unknown>>,
  environmentOf: (value: unknown) => ReadonlyMap<string, string>,
): ComposeService {
  return {
    image: readText(service['image']),
    environments: [environmentOf(service['environment'])],
    envFiles: listOf(service['env_file'])
      .flatMap((each) => (isRecord(each) ? [readText(each['path'])] : [readText(each)]))
      .filter((path) => path !== ''),
    ports: listOf(service['ports']).flatMap(readPort),
    isOnHostNetwork: service['network_mode'] === 'host',
  };
}

/** A map, or a list of `NAME=value`. A name without a value is taken from the shell, and left out. */
function readEnvironment(value: unknown): ReadonlyMap<string, string> {
  if (isRecord(value))
    return new Map(
      Object.entries(value).flatMap(([name, text]) =>
        isScalar(text) ? [[name, String(text)] as const] : [],
      ),
    );
  return new Map(
    listOf(value).flatMap((each) => {
      const [, name, text] = /^([^=]+)=([\s\S]*)$/.exec(readText(each)) ?? [];
      return name === undefined || text === undefined ? [] : [[name, text] as const];
    }),
  );
}

function readPort(value: unknown): readonly ComposePort[] {
  if (isScalar(value)) return [{ kind: 'short', text: String(value) }];
  if (!isRecord(value)) return [];
  return [
    {
      kind: 'long',
      target: readText(value['target']),
      published: readText(value['published']),
      hostIp: readText(value['host_ip']),
    },
  ];
}

const mostEntries = 100;

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly unknown[]).slice(0, mostEntries) : [value];
}

function readText(value: unknown): string {
  return isScalar(value) ? String(value) : '';
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
