import type { CodePlace } from '../report.ts';
import { toPath } from './path-of-name.ts';
import type { FindSource } from './source-maps.ts';
import { callSitesOf, type CapturedStack } from './stack.ts';

const mostPlaces = 10;

/** Whose code a frame is, the most telling first: a stack is told by the frames of one kind. */
const kinds = ['own', 'library', 'driver'] as const;
type Kind = (typeof kinds)[number];

/** Puts a kept stack into words: where in the source that people wrote, the application's own code only where there is any. */
export function placesOf(
  stack: CapturedStack | null,
  findSource: FindSource,
): readonly CodePlace[] {
  if (stack === null) return [];
  const monitor = monitorFile();
  const places = callSitesOf(stack).flatMap((site) => toPlace(site, monitor, findSource) ?? []);
  for (const kind of kinds) {
    const found = places.filter((place) => kindOf(place.file) === kind);
    if (found.length > 0) return found.slice(0, mostPlaces);
  }
  return [];
}

/** Every file of a stack as it runs, without source maps. */
export function filesOf(stack: CapturedStack): readonly string[] {
  return callSitesOf(stack).flatMap((site) => fileOf(site) ?? []);
}

function toPlace(
  site: NodeJS.CallSite,
  monitor: string | null,
  findSource: FindSource,
): CodePlace | null {
  const file = fileOf(site);
  const line = site.getLineNumber();
  if (file === null || line === null || isMonitor(file, monitor)) return null;
  const column = site.getColumnNumber() ?? 1;
  const source = findSource(site.getFileName() ?? file, line, column) ?? { file, line, column };
  if (isMonitor(source.file, monitor)) return null;
  return {
    file: source.file,
    line: source.line,
    column: source.column,
    function: functionOf(site),
  };
}

/** An absolute path, or null for what is not in a file of its own: Node's internals, `eval`, WebAssembly. */
function fileOf(site: NodeJS.CallSite): string | null {
  const name = site.getFileName();
  if (
    name === null ||
    name === undefined ||
    name.startsWith('node:') ||
    site.isNative() ||
    site.isEval()
  )
    return null;
  return toPath(name);
}

function kindOf(file: string): Kind {
  if (/[\\/]node_modules[\\/](?:pg|pg-[\w-]+)[\\/](?!.*[\\/]node_modules[\\/])/u.test(file))
    return 'driver';
  return /[\\/]node_modules[\\/]/u.test(file) ? 'library' : 'own';
}

/** The monitor's own frames: those of this file's bundle, or of its folder where it is not bundled. */
function isMonitor(file: string, monitor: string | null): boolean {
  return file === monitor || /[\\/]monitor[\\/](?:watch|hook)[\\/][\w-]+\.ts$/u.test(file);
}

/** Where this code runs. */
function monitorFile(): string | null {
  const [site] = callSitesOf(new Error());
  return site === undefined ? null : fileOf(site);
}

function functionOf(site: NodeJS.CallSite): string | null {
  const name = site.getFunctionName();
  if (name === null || name === '' || name === '<anonymous>') return null;
  return name;
}
