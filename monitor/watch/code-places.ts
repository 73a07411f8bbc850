import type { CodePlace } from '../report.ts';
import { type FindSource, toPath } from './source-maps.ts';
import { framesOf, outerOf, type CapturedStack, type Frame } from './stack.ts';

const mostPlaces = 10;

/** Whose code a frame is, the most telling first: a stack is recognised by the frames of one kind. */
const kinds = ['own', 'library', 'driver'] as const;
type Kind = (typeof kinds)[number];

/** Puts a kept stack into words: where in the source that people wrote, the application's own code only where there is any. */
export function placesOf(
  stack: CapturedStack | null,
  findSource: FindSource,
): readonly CodePlace[] {
  const stacks = withOuter(stack).map((each) => readPlaces(each, findSource));
  for (const kind of kinds) {
    for (const places of stacks) {
      const found = places.filter((place) => place.kind === kind);
      if (found.length > 0) return found.slice(0, mostPlaces).map(({ place }) => place);
    }
  }
  return [];
}

/** The stacks of calls that lie in each other, the innermost first. */
function withOuter(stack: CapturedStack | null): readonly CapturedStack[] {
  return stack === null ? [] : [stack, ...withOuter(outerOf(stack))];
}

interface PlaceOfKind {
  readonly place: CodePlace;
  readonly kind: Kind;
}

function readPlaces(stack: CapturedStack, findSource: FindSource): readonly PlaceOfKind[] {
  const monitor = monitorFile();
  return framesOf(stack).flatMap((site) => toPlace(site, monitor, findSource) ?? []);
}

/** Every file of a stack as it runs, without source maps. */
export function filesOf(stack: CapturedStack): readonly string[] {
  return framesOf(stack).flatMap((site) => fileOf(site) ?? []);
}

/** A package's source map may name sources beside its folder: what runs tells whose it is, and in a bundle the source does. */
function toPlace(site: Frame, monitor: string | null, findSource: FindSource): PlaceOfKind | null {
  const file = fileOf(site);
  const line = site.getLineNumber();
  if (file === null || line === null || isMonitor(file, monitor)) return null;
  const column = site.getColumnNumber() ?? 1;
  const source = findSource(site.getFileName() ?? file, line, column) ?? { file, line, column };
  if (isMonitor(source.file, monitor)) return null;
  const kind = kindOf(file);
  return {
    place: { ...source, function: functionOf(site) },
    kind: kind === 'own' ? kindOf(source.file) : kind,
  };
}

/** An absolute path, or null for what is not in a file of its own: Node's internals, `eval`, WebAssembly. */
function fileOf(site: Frame): string | null {
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
  return (
    file === monitor ||
    /[\\/]monitor[\\/](?:watch|hook|pools)[\\/](?:[\w-]+[\\/])?[\w-]+\.ts$/u.test(file)
  );
}

/** Where this code runs. */
function monitorFile(): string | null {
  const [site] = framesOf(new Error());
  return site === undefined ? null : fileOf(site);
}

function functionOf(site: Frame): string | null {
  const name = site.getFunctionName();
  if (name === null || name === '' || name === '<anonymous>') return null;
  return name;
}
