import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isSidePath } from '../../../rules/model/pool-life.ts';
import { toShortText } from '../../activity/plain-text.ts';
import { slashed } from '../../files/slashed.ts';
import { type AskedRoute, matchRoutes, readRoute, type Route } from '../../linking/match-route.ts';
import type { CodeReader } from '../../lint/code-reader.ts';
import { findFiles } from '../../lint/find-files.ts';
import { mayHoldRoute } from '../../lint/may-hold-route.ts';
import { readSource } from '../../lint/read-source.ts';
import type { WorkloadRequest } from '../../probe/request.ts';
import { CouldNotRun } from '../exit-code.ts';

type CodeWorkload = Extract<WorkloadRequest, { readonly kind: 'code' }>;

/** What is sent at a place. */
interface Sent {
  /** Around what the code fills in when it runs. */
  readonly texts: readonly (readonly string[])[];
  /** Queries that a library builds. */
  readonly built: number;
}

/** A route with the path of its file. */
interface PlacedRoute extends Route, Sent {
  readonly label: string;
}

/** The statements of a route or of files. Throws `CouldNotRun` where there is none, or several answer. */
export async function readCodeWorkload(
  asked: string,
  cwd: string,
  read: CodeReader,
): Promise<CodeWorkload> {
  const [, name = asked, file = '.'] =
    /^(\S+\s+\/\S*|\/\S*)\s+in\s+(\S.*)$/u.exec(asked.trim()) ?? [];
  const route = isFile(resolve(cwd, name)) ? null : readRoute(name);
  return route === null
    ? toWorkload(asked, await readFiles(asked, cwd, read))
    : chooseRoute(name.trim(), route, await readRoutes(file, cwd, read));
}

/** A folder is none: `/` is a route. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

async function readFiles(path: string, cwd: string, read: CodeReader): Promise<Sent> {
  const found: Sent[] = [];
  for (const file of await filesAt(path, cwd)) {
    const { statements, queries } = read(file);
    found.push({ texts: statements.map(({ pieces }) => pieces), built: queries.length });
  }
  return {
    texts: found.flatMap(({ texts }) => texts),
    built: found.reduce((sum, { built }) => sum + built, 0),
  };
}

async function readRoutes(
  path: string,
  cwd: string,
  read: CodeReader,
): Promise<readonly PlacedRoute[]> {
  const files = await filesAt(path, cwd);
  const pathOf = (file: string) => slashed(relative(cwd, file));
  const own = files.filter((file) => path !== '.' || !isSidePath(pathOf(file)));
  const routes: PlacedRoute[] = [];
  for (const file of own) {
    if (!mayHoldRoute(readSource(file))) continue;
    for (const { method, path: written, place, statements, built } of read(file).routes)
      routes.push({
        method,
        path: written,
        label: `${method} ${written} in ${pathOf(file)}:${place.start.line}`,
        texts: statements.map(({ pieces }) => pieces),
        built,
      });
  }
  return routes;
}

async function filesAt(path: string, cwd: string): Promise<readonly string[]> {
  const { files, complaints } = await findFiles([path], cwd);
  const [complaint] = complaints;
  if (files.length === 0 && complaint !== undefined)
    throw new CouldNotRun(
      `--from-code: ${complaint} Name a file, or a route such as 'GET /users/:id'.`,
    );
  return files;
}

const mostListed = 10;

function chooseRoute(
  name: string,
  asked: AskedRoute,
  routes: readonly PlacedRoute[],
): CodeWorkload {
  // A request that the code makes itself reads like a route: `axios.post('/users', user)`.
  const sending = routes.filter(({ texts, built }) => texts.length + built > 0);
  const best = matchRoutes(asked, sending);
  const matching = best.length > 0 ? best : matchRoutes(asked, routes);
  const [only] = matching;
  if (only === undefined)
    throw new CouldNotRun(
      routes.length === 0
        ? `--from-code: no route was found in the code. Name the file that sends the statements.`
        : `--from-code: no route answers ${shown(name)}. The code has ${listed(routes)}.`,
    );
  if (matching.length > 1)
    throw new CouldNotRun(
      `--from-code: several routes may answer ${shown(name)}: ${listed(matching)}. Name the file too: '${shown(name)} in src/routes/users.ts'.`,
    );
  const workload = toWorkload(name, only);
  return { ...workload, notes: [`${shown(name)} is ${shown(only.label)}.`, ...workload.notes] };
}

function listed(routes: readonly PlacedRoute[]): string {
  const labels = routes.slice(0, mostListed).map(({ label }) => shown(label));
  return `${labels.join(', ')}${routes.length > mostListed ? ', …' : ''}`;
}

function shown(text: string): string {
  return toShortText(text, 120);
}

function toWorkload(from: string, { texts, built }: Sent): CodeWorkload {
  const weights = new Map<string, number>();
  let unknown = 0;
  for (const [text = '', ...more] of texts) {
    if (more.length > 0) unknown += 1;
    else weights.set(text.trim(), (weights.get(text.trim()) ?? 0) + 1);
  }
  const notes = [...listNotes(shown(from), unknown, built)];
  if (weights.size === 0)
    throw new CouldNotRun(
      [`--from-code: ${shown(from)} sends no statement whose text the code writes.`, ...notes].join(
        ' ',
      ),
    );
  return {
    kind: 'code',
    from: shown(from),
    statements: [...weights].map(([text, weight]) => ({ text, weight })),
    notes,
  };
}

function* listNotes(from: string, unknown: number, built: number): Generator<string> {
  if (unknown > 0)
    yield `Left out of ${from}: ${unknown} ${unknown === 1 ? 'statement' : 'statements'} of which the code fills in a part when it runs.`;
  if (built > 0)
    yield `Left out of ${from}: ${built} ${built === 1 ? 'query' : 'queries'} that a library builds, whose text only the server sees (--top).`;
}
