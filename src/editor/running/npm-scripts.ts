import { isRecord } from '../../webview/messages.ts';

export interface NpmScript {
  readonly name: string;
  /** What it runs, for people. */
  readonly text: string;
}

/** What most services start with. */
const likely = ['dev', 'start'];

/** Names that every shell takes as one word as they are; others are not typed into a terminal. */
const plainName = /^[\w@][\w@:./-]*$/u;

/** The scripts of a package.json that a terminal may be told to run: likely ones first, the rest in the order of the file. Hooks run with their script and are left out. */
export function npmScripts(text: string): readonly NpmScript[] {
  const scripts = scriptsOf(text);
  const names = new Set(scripts.map(({ name }) => name));
  const isHook = (name: string): boolean =>
    names.has(name.replace(/^(?:pre|post)/u, '')) && /^(?:pre|post)./u.test(name);
  const offered = scripts.filter(({ name }) => plainName.test(name) && !isHook(name));
  const rank = ({ name }: NpmScript): number =>
    likely.includes(name) ? likely.indexOf(name) : likely.length;
  return [...offered].sort((a, b) => rank(a) - rank(b));
}

function scriptsOf(text: string): readonly NpmScript[] {
  try {
    const manifest: unknown = JSON.parse(text);
    if (!isRecord(manifest) || !isRecord(manifest['scripts'])) return [];
    return Object.entries(manifest['scripts']).flatMap(([name, run]) =>
      typeof run === 'string' ? [{ name, text: run }] : [],
    );
  } catch {
    return [];
  }
}
