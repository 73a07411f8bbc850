import { isIP } from 'node:net';

/** What gives a production database away. */
export interface GuardedTarget {
  readonly host: string;
  readonly database: string;
  /** `NODE_ENV` of the one who asks. */
  readonly nodeEnvironment: string | undefined;
  /** Null before anybody has connected. */
  readonly server: GuardedServer | null;
}

export interface GuardedServer {
  readonly inRecovery: boolean;
  /** `cluster_name`, often empty. */
  readonly clusterName: string;
  /** What Rails keeps in `ar_internal_metadata`; null without it. */
  readonly railsEnvironment: string | null;
  /** Active sessions of others. */
  readonly activeOthers: number;
}

const productionWord = /(?:^|[^a-z])(?:prod|prd|production|live|primary|master)(?:[^a-z]|$)/i;
const hostedDomain = /\.(?:rds\.amazonaws\.com|amazonaws\.com|azure\.com|windows\.net|cloudsql\.goog|googleapis\.com|neon\.tech|supabase\.(?:co|com)|render\.com|railway\.app|ondigitalocean\.com|aivencloud\.com|timescale\.com|fly\.dev)\.?$/i;
/** With more active sessions of others, somebody depends on this server. */
const busyServer = 10;

/** Each reason, as a whole sentence, why a load test may hurt somebody. Empty for a development database. */
export function findProductionSigns({ host, database, nodeEnvironment, server }: GuardedTarget): readonly string[] {
  const signs: readonly (readonly [applies: boolean, sentence: string])[] = [
    [hostedDomain.test(host), `${host} is a hosted database.`],
    [!hostedDomain.test(host) && !isPrivateHost(host), `${host} is neither this machine nor in a private network.`],
    [productionWord.test(host), `The host name ${host} sounds like production.`],
    [productionWord.test(database), `The database name ${database} sounds like production.`],
    [nodeEnvironment === 'production', 'NODE_ENV is production.'],
    [server?.inRecovery === true, 'The server is a replica: it serves readers, and its best pool size is not that of the primary.'],
    [productionWord.test(server?.clusterName ?? ''), `The server calls itself ${server?.clusterName ?? ''} (cluster_name).`],
    [server?.railsEnvironment === 'production', 'The database says that it is a production database (ar_internal_metadata).'],
    [(server?.activeOthers ?? 0) > busyServer, `${server?.activeOthers ?? 0} other sessions are active right now.`],
  ];
  return signs.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/** The refusal for a target that shows such signs. */
export function describeRefusal(signs: readonly string[]): string {
  return `${signs.join(' ')} A probe is a short load test, so it does not run there by itself. If you know that nobody depends on this database, add --i-know.`;
}

/** Loopback, private and link-local addresses, and names that cannot be public: one label, or a local suffix. */
export function isPrivateHost(host: string): boolean {
  if (host.startsWith('/')) return true;
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 4) return /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(name);
  if (isIP(name) === 6) return name === '::1' || /^f[cd]|^fe[89ab]|^::ffff:127\./.test(name);
  return !name.includes('.') || /\.(?:localhost|local|internal|lan|home|test|home\.arpa)$/.test(name);
}
