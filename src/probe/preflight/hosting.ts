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
export function findProvider(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosting.find(([suffix]) => name.endsWith(`.${suffix}`))?.[1];
}
