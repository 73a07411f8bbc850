import { acquireNames, drivers } from '../model/drivers.ts';
import { libraries } from '../model/libraries.ts';
import type { Closure, Closures } from './closures.ts';
import { packageNamed } from './import-paths.ts';
import { oncePerFile } from '../syntax/once-per-file.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Which files lead, over any number of imports, to a certain kind of file. Only texts are looked at; nothing is parsed. */
export interface ImportReachability {
  /** What a file leads to nothing by; undefined when it, or anything that it imports, is of the kind. */
  quietFrom(file: SourceFile): Closure | undefined;
  /** The same for a text that need not be the saved one, whatever is known of its path. */
  leadsAnew(file: SourceFile): boolean;
}

/** How the files of a project are found. */
interface Project {
  readonly closures: Closures;
  readonly read: (specifier: string, importer: SourceFile) => SourceFile | undefined;
}

/** A file whose imports are looked at; `lowest` is the outermost open file that it leads back to. */
interface Visit {
  readonly file: SourceFile;
  readonly place: number;
  lowest: number;
  readonly closure: Closure;
  readonly left: Iterator<string>;
}

function visit(file: SourceFile, place: number, closures: Closures): Visit {
  const closure = closures.create();
  closures.addFile(closure, file.path);
  const specifiers = importsOf(file);
  for (const specifier of specifiers) closures.addImport(closure, specifier, file.path);
  return { file, place, lowest: place, closure, left: specifiers.values() };
}

/** Notes of files that lead to each other that they lead to no goal. */
function closeCircle(
  members: readonly Visit[],
  around: Visit | undefined,
  quiet: Map<string, Closure>,
): void {
  const closure = (members[0] as Visit).closure;
  for (const each of members) for (const part of each.closure.parts) closure.parts.add(part);
  for (const { file } of members) quiet.set(file.path, closure);
  around?.closure.parts.add(closure);
}

/** The next file that one imports. */
function nextOf({ file, left }: Visit, read: Project['read']): SourceFile | undefined {
  for (let next = left.next(); next.done !== true; next = left.next()) {
    const found = read(next.value, file);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function createImportReachability(
  { closures, read }: Project,
  isGoal: (file: SourceFile) => boolean,
): ImportReachability {
  /** From where nothing is reached. */
  const quiet = new Map<string, Closure>();
  const leading = new WeakSet<SourceFile>();
  const quietAt = (path: string): Closure | undefined => {
    const known = quiet.get(path);
    return known !== undefined && closures.isAsItWas(known) ? known : undefined;
  };
  /** Says of each file behind one, at the first goal or at the end, whether it leads to a goal: R. Tarjan's components, each file once. */
  const search = (start: SourceFile): void => {
    const places = new Map<string, number>([[start.path, 0]]);
    const members = [visit(start, 0, closures)];
    const path = [...members];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = nextOf(last, read);
      const part = next && quietAt(next.path);
      const place = next && places.get(next.path);
      if (next === undefined) {
        path.pop();
        const around = path.at(-1);
        if (around !== undefined) around.lowest = Math.min(around.lowest, last.lowest);
        if (last.lowest === last.place) closeCircle(members.splice(last.place), around, quiet);
      } else if (part !== undefined) last.closure.parts.add(part);
      else if (place !== undefined) last.lowest = Math.min(last.lowest, place);
      else if (leading.has(next) || isGoal(next)) {
        // Whoever is open leads to the last of the path.
        for (const { file } of members) leading.add(file);
        return;
      } else {
        places.set(next.path, members.length);
        path.push(visit(next, members.length, closures));
        members.push(path.at(-1) as Visit);
      }
    }
  };
  const quietFrom = (file: SourceFile): Closure | undefined => {
    if (leading.has(file)) return undefined;
    const before = quietAt(file.path);
    if (before !== undefined) return before;
    if (isGoal(file)) leading.add(file);
    else search(file);
    return leading.has(file) ? undefined : quiet.get(file.path);
  };
  return {
    quietFrom,
    leadsAnew: (file) =>
      isGoal(file) ||
      importsOf(file).some((specifier) => {
        const next = read(specifier, file);
        return next !== undefined && quietFrom(next) === undefined;
      }),
  };
}

const acquire = `(?:${[...acquireNames].join('|')})\\b`;
/** As a member: `.connect`, `['connect']`, `{ connect }`. */
const acquiring = new RegExp(
  `\\.\\s*${acquire}|\\[\\s*["'\`]${acquire}|[{,]\\s*${acquire}\\s*[,:}=]`,
  'u',
);

/** The method by which a driver's pool lends a client stands there as a member. */
export const mayAcquire = oncePerFile(({ text }) => acquiring.test(text));

const lending = `(?:${libraries
  .flatMap(({ lends, begins }) =>
    [...lends, ...begins].flatMap(({ path, by }) => by ?? (path.split('.').at(-1) || [])),
  )
  .map((name) => name.replace('$', '\\$'))
  .join('|')})`;
const lends = new RegExp(`\\.\\s*${lending}\\s*(?:<[^()]*>)?\\(`, 'u');

/** Called, or taken under another name. */
const holding = new RegExp(
  `\\b(?:${libraries.flatMap(({ holds, models }) => [...holds, ...models.functions]).join('|')})(?:\\s*[(:]|\\s+as\\b)`,
  'u',
);

/** A method by which a library's handle gives a connection is called there, or a function or decorator that holds one. */
export const mayLend = oncePerFile(({ text }) => lends.test(text) || holding.test(text));

const toldByName: readonly string[] = libraries.flatMap(({ lendsUnmistakably, lends: ways }) =>
  lendsUnmistakably ? ways.map(({ path }) => `.${path}(`) : [],
);

/** The same by a method that no other library calls so. */
export const surelyLends = oncePerFile(({ text }) =>
  toldByName.some((each) => text.includes(each)),
);

/** What is done to a client: without a driver in sight a pool shows by it. */
export const speaksToClient = oncePerFile(({ text }) => /\b(?:release|query)\b/u.test(text));

const specifiers = /\b(?:from|import|require)\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/gu;

/** What a file imports, as far as its text tells; what comments and strings say is taken for imports, too. */
export const importsOf = oncePerFile(({ text }) => specifiersIn(text));

export function specifiersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(specifiers)].flatMap(([, , specifier]) => specifier ?? []))];
}

const everyDriver = modulesOf([...drivers, ...libraries]);

/** The packages with a function or decorator that holds or lends a connection while other code runs, whatever it is called by. */
export const holders = modulesOf(
  libraries.filter(
    ({ holds, lends: ways }) => holds.length > 0 || ways.some(({ path }) => path === ''),
  ),
);

function modulesOf(rows: readonly { readonly module: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ module }) => module));
}

/** Whether a file names one of these packages, any driver's without them, as whoever knows the import map around it sees that. */
export function importsDriver(
  file: SourceFile,
  packageFor: (specifier: string, importer: SourceFile) => string = packageNamed,
  modules = everyDriver,
): boolean {
  return importsOf(file).some((specifier) => modules.has(packageFor(specifier, file)));
}
