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
  const search = (start: SourceFile): Closure | undefined => {
    const closure = closures.create();
    const members = new Set([start]);
    // The set grows while it is read: it is the worklist.
    for (const file of members) {
      if (leading.has(file) || isGoal(file)) return undefined;
      closures.addFile(closure, file.path);
      for (const specifier of importsOf(file)) {
        closures.addImport(closure, specifier, file.path);
        const next = read(specifier, file);
        const part = next === undefined ? undefined : quietAt(next.path);
        if (part !== undefined) closure.parts.add(part);
        else if (next !== undefined) members.add(next);
      }
    }
    for (const { path } of members) quiet.set(path, closure);
    return closure;
  };
  const quietFrom = (file: SourceFile): Closure | undefined => {
    if (leading.has(file)) return undefined;
    const found = quietAt(file.path) ?? search(file);
    if (found === undefined) leading.add(file);
    return found;
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

const holding = new RegExp(
  `\\b(?:${libraries.flatMap(({ holds, models }) => [...holds, ...models.functions]).join('|')})\\s*\\(`,
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
