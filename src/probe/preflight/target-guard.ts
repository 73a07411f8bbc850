import { toShortText } from '../../activity/plain-text.ts';
import { isPrivateHost } from '../../database/private-host.ts';
import type { Environment } from '../../database/target.ts';

/** What gives a production database away. */
export interface GuardedTarget {
  readonly host: string;
  readonly database: string;
  /** Variables of the one who asks. */
  readonly environment: Environment;
  /** Null before anybody has connected. */
  readonly server: GuardedServer | null;
}

export interface GuardedServer {
  readonly inRecovery: boolean;
  /** `cluster_name`, often empty. */
  readonly clusterName: string;
  /** Active sessions of others. */
  readonly activeOthers: number;
  /** Of the database; null when the server does not tell in time. */
  readonly databaseBytes: number | null;
}

/** With more active sessions of others, somebody depends on this server. */
const busyServer = 10;
/** Development databases are hardly larger. */
const largeDatabaseGb = 10;
const bytesOfGb = 2 ** 30;

/** Variables by which programs are told where they run. */
const environmentNames = ['NODE_ENV', 'PGENV', 'RAILS_ENV', 'RACK_ENV', 'APP_ENV'] as const;

const notSeen: GuardedServer = {
  inRecovery: false,
  clusterName: '',
  activeOthers: 0,
  databaseBytes: null,
};

/** Each reason, as a whole sentence, why a load test may hurt somebody. Empty for a development database. */
export function findProductionSigns({
  host,
  database,
  environment,
  server,
}: GuardedTarget): readonly string[] {
  const provider = findProvider(host);
  const { inRecovery, clusterName, activeOthers, databaseBytes } = server ?? notSeen;
  const gigabytes = (databaseBytes ?? 0) / bytesOfGb;
  const signs: readonly (readonly [applies: boolean, sentence: string])[] = [
    [provider !== undefined, `${quote(host)} is a hosted database (${provider}).`],
    [
      provider === undefined && !isPrivateHost(host),
      `${quote(host)} is neither this machine nor in a private network.`,
    ],
    [
      !host.startsWith('/') && soundsLikeProduction(host),
      `The host name ${quote(host)} sounds like production.`,
    ],
    [
      soundsLikeProduction(database),
      `The database name ${quote(database)} sounds like production.`,
    ],
    ...environmentNames.map((name) => {
      const value = environment[name] ?? '';
      return [soundsLikeProduction(value), `${name} is ${quote(value)}.`] as const;
    }),
    [
      inRecovery,
      'The server is a replica: it serves readers, and its best pool size is not that of the primary.',
    ],
    [
      soundsLikeProduction(clusterName),
      `The server calls itself ${quote(clusterName)} (cluster_name).`,
    ],
    [activeOthers > busyServer, `${activeOthers} other sessions are active right now.`],
    [
      gigabytes > largeDatabaseGb,
      `The database holds ${gigabytes.toFixed(0)} GB, more than a development database does.`,
    ],
  ];
  return signs.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/** The refusal for a target that shows such signs. */
export function describeRefusal(signs: readonly string[]): string {
  return `${signs.join(' ')} A probe is a short load test and does not run there by default. If this database is not in production use, add --allow-production.`;
}

const productionWord =
  /^(?:(?:db|pg|sql|postgres)?(?:prod|prd|production)(?:db|pg|sql)?|live|primary|master)$/;

/** Looks at the words of a name, by capitals, digits and punctuation, so that `product` and `delivery` are none. */
function soundsLikeProduction(name: string): boolean {
  const words = name
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => productionWord.test(word));
}

function quote(text: string): string {
  return toShortText(text, 80);
}

/** By the end of a host name. */
const hosting: readonly (readonly [suffix: string, provider: string])[] = [
  ['amazonaws.com', 'Amazon Web Services'],
  ['amazonaws.com.cn', 'Amazon Web Services'],
  ['on.aws', 'Amazon Web Services'],
  ['azure.com', 'Microsoft Azure'],
  ['windows.net', 'Microsoft Azure'],
  ['cloudsql.goog', 'Google Cloud'],
  ['alloydb.goog', 'Google Cloud'],
  ['googleapis.com', 'Google Cloud'],
  ['neon.tech', 'Neon'],
  ['supabase.co', 'Supabase'],
  ['supabase.com', 'Supabase'],
  ['render.com', 'Render'],
  ['railway.app', 'Railway'],
  ['rlwy.net', 'Railway'],
  ['ondigitalocean.com', 'DigitalOcean'],
  ['aivencloud.com', 'Aiven'],
  ['timescale.com', 'Timescale'],
  ['tsdb.cloud', 'Timescale'],
  ['fly.dev', 'Fly.io'],
  ['flympg.net', 'Fly.io'],
  ['crunchybridge.com', 'Crunchy Bridge'],
  ['prisma.io', 'Prisma'],
  ['xata.sh', 'Xata'],
  ['psdb.cloud', 'PlanetScale'],
  ['scw.cloud', 'Scaleway'],
  ['ovh.net', 'OVHcloud'],
  ['yandexcloud.net', 'Yandex Cloud'],
  ['aliyuncs.com', 'Alibaba Cloud'],
  ['appdomain.cloud', 'IBM Cloud'],
  ['oraclecloud.com', 'Oracle Cloud'],
  ['cockroachlabs.cloud', 'Cockroach Labs'],
  ['yugabyte.cloud', 'YugabyteDB'],
  ['elephantsql.com', 'ElephantSQL'],
];

/** Who hosts this database, by its host name; undefined for nobody known. */
function findProvider(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosting.find(([suffix]) => name.endsWith(`.${suffix}`))?.[1];
}
