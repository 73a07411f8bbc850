/** A statement that names things as people do, and what it shows of the traps. */
interface Bait {
  readonly name: string;
  readonly statement: string;
}

export const bait: readonly Bait[] = [
  { name: 'function', statement: `SELECT upper('x')` },
  { name: 'function of the session', statement: 'SELECT current_database()' },
  {
    name: 'set-returning function',
    statement: 'SELECT pg_catalog.count(*) FROM generate_series(1, 2)',
  },
  {
    name: 'variadic function',
    statement: `SELECT json_build_object('a'::pg_catalog.text, 'b'::pg_catalog.text)`,
  },
  { name: 'aggregate', statement: 'SELECT count(*) FROM public.orders' },
  { name: 'operator', statement: `SELECT FROM pg_catalog.pg_roles WHERE rolname = 'mallory'` },
  { name: 'operator of texts', statement: `SELECT 'a'::pg_catalog.text || 'b'::pg_catalog.text` },
  { name: 'IN', statement: 'SELECT FROM public.orders WHERE id IN (1, 2)' },
  { name: 'ANY', statement: 'SELECT FROM public.orders WHERE id = ANY (ARRAY[1, 2])' },
  { name: 'BETWEEN', statement: 'SELECT FROM public.orders WHERE id BETWEEN 1 AND 2' },
  { name: 'LIKE', statement: `SELECT FROM public.orders WHERE city LIKE 'R%'` },
  { name: 'CASE', statement: 'SELECT CASE id WHEN 1 THEN 2 END FROM public.orders' },
  {
    name: 'JOIN USING',
    statement: 'SELECT FROM public.orders AS a JOIN public.orders AS b USING (id)',
  },
  {
    name: 'IS DISTINCT FROM',
    statement: `SELECT FROM public.orders WHERE city IS DISTINCT FROM 'Rome'`,
  },
  { name: 'cast', statement: `SELECT 'x'::text` },
  { name: 'cast to a name', statement: `SELECT 'x'::name` },
  { name: 'relation', statement: 'SELECT FROM pg_stat_activity' },
  { name: 'relation of Rails', statement: 'SELECT value FROM public.ar_internal_metadata' },
  {
    name: 'implicit cast',
    statement: 'SELECT pg_catalog.lower(key) FROM public.ar_internal_metadata',
  },
  { name: 'policy', statement: 'SELECT FROM public.users' },
];
