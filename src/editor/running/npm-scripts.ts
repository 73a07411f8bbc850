import * as v from 'valibot';
import { soundEntriesOf, type OutputOf } from '../../schema/fields.ts';

export interface NpmScript {
  readonly name: string;
  /** What it runs, for people. */
  readonly text: string;
}

/** What is read of a package.json. */
const Manifest = v.fallback(
  v.object({
    scripts: v.fallback(soundEntriesOf(v.string()), {}),
    packageManager: v.exactOptional(v.fallback(v.string(), '')),
  }),
  { scripts: {} },
);

export type Manifest = OutputOf<typeof Manifest>;

/** Empty for a text that is no JSON. */
export function readManifest(text: string): Manifest {
  try {
    return v.parse(Manifest, JSON.parse(text));
  } catch {
    return { scripts: {} };
  }
}

/** What most services start with. */
const likely = ['dev', 'start'];

/** Names that every shell takes as one word as they are; others are not typed into a terminal. */
const plainName = /^[\w@][\w@:./-]*$/u;

/** The scripts of a package.json that a terminal may be told to run: likely ones first, the rest in the order of the file. Hooks run with their script and are left out. */
export function npmScripts(text: string): readonly NpmScript[] {
  const scripts = Object.entries(readManifest(text).scripts).map(([name, run]) => ({
    name,
    text: run,
  }));
  const names = new Set(scripts.map(({ name }) => name));
  const isHook = (name: string): boolean =>
    names.has(name.replace(/^(?:pre|post)/u, '')) && /^(?:pre|post)./u.test(name);
  const offered = scripts.filter(({ name }) => plainName.test(name) && !isHook(name));
  const rank = ({ name }: NpmScript): number =>
    likely.includes(name) ? likely.indexOf(name) : likely.length;
  return [...offered].sort((a, b) => rank(a) - rank(b));
}
