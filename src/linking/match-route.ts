/** A path that has a handler. */
export interface Route {
  /** `GET`, or `ALL` for every method. */
  readonly method: string;
  readonly path: string;
}

/** A route as somebody names it. */
export interface AskedRoute {
  /** Null for any. */
  readonly method: string | null;
  readonly path: string;
}

/** `GET /users/:id` or `/users/42`; null for what is no route. */
export function readRoute(text: string): AskedRoute | null {
  const [, method, path] = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/u.exec(text.trim()) ?? [];
  return path === undefined ? null : { method: method?.toUpperCase() ?? null, path };
}

/**
 * The routes that answer a request, those that know most of its path: the code of a router does not tell under which path it is
 * mounted, therefore the path may begin before that of the route. Several where the code leaves open which it is.
 */
export function matchRoutes<One extends Route>(
  asked: AskedRoute,
  routes: readonly One[],
): readonly One[] {
  const fitting = routes.flatMap((route) => {
    const known = answers(asked, route);
    return known === null ? [] : [{ route, known }];
  });
  const most = fitting.reduce<readonly number[]>(
    (best, { known }) => (compare(known, best) > 0 ? known : best),
    [],
  );
  return fitting.filter(({ known }) => compare(known, most) === 0).map(({ route }) => route);
}

/** How much of the path the route knows: its segments, and those that are no parameter. Null where it does not answer. */
function answers(
  { method, path }: AskedRoute,
  route: Route,
): readonly [segments: number, literal: number, method: number] | null {
  const isMethod = method === null || route.method === method;
  if (!isMethod && route.method !== 'ALL') return null;
  const [asked, own] = [segmentsOf(path), segmentsOf(route.path)];
  const end = asked.slice(asked.length - own.length);
  if (own.length > asked.length || !own.every((each, at) => isSame(each, end[at] ?? '')))
    return null;
  return [own.length, own.filter((each) => !isParameter(each)).length, Number(isMethod)];
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const at of [0, 1, 2]) {
    const difference = (one[at] ?? -1) - (other[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function segmentsOf(path: string): readonly string[] {
  return (path.split('?')[0] ?? '').split('/').filter((segment) => segment !== '');
}

function isSame(segment: string, asked: string): boolean {
  return isParameter(segment) || segment === asked;
}

/** `:id` of Express and Fastify, `{id}` of OpenAPI, `[id]` of Next.js and SvelteKit, `*` */
function isParameter(segment: string): boolean {
  return /^(?::|\{.*\}$|\[.*\]$|\*)/u.test(segment);
}
