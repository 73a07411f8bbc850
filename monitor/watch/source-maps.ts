import { readFileSync, statSync } from 'node:fs';
import { findSourceMap, SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where a position of a file that runs is in the source that somebody wrote; null without a source map. Lines and columns from 1. */
export type FindSource = (file: string, line: number, column: number) => SourcePosition | null;

/** A larger file is not read for its map: reading it would hold the application up. */
const mostBytes = 48 * 1024 * 1024;

interface Mapped {
  readonly map: SourceMap;
  /** What its sources are relative to. */
  readonly folder: string;
}

/**
 * Asks Node, which knows the maps of what was loaded while source maps were switched on, and else reads the map that the file names.
 * Nothing is read before a stack is told, and each file once.
 */
export function createSourceFinder(): FindSource {
  const read = new Map<string, Mapped | null>();
  return (name, line, column) => {
    const path = toPath(name);
    if (path === null) return null;
    const known = findSourceMap(name) ?? findSourceMap(path);
    const mapped = known === undefined ? recall(read, path) : { map: known, folder: dirname(path) };
    return mapped === null ? null : positionIn(mapped, line, column);
  };
}

function recall(read: Map<string, Mapped | null>, path: string): Mapped | null {
  const before = read.get(path);
  if (before !== undefined) return before;
  const mapped = readMap(path);
  read.set(path, mapped);
  return mapped;
}

function positionIn({ map, folder }: Mapped, line: number, column: number): SourcePosition | null {
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return null;
  const file =
    toPath(entry.originalSource) ??
    (/^[a-z][a-z\d+.-]+:/iu.test(entry.originalSource)
      ? null
      : resolve(folder, entry.originalSource));
  return file === null
    ? null
    : { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

function readMap(path: string): Mapped | null {
  try {
    const comment = [...readSmall(path).matchAll(/^\/\/[#@] ?sourceMappingURL=(\S+)\s*$/gmu)].at(
      -1,
    )?.[1];
    return comment === undefined ? null : parseMap(comment, dirname(path));
  } catch {
    // A map that cannot be read is none: the position in the file that runs is right as well.
    return null;
  }
}

function parseMap(url: string, folder: string): Mapped | null {
  const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/su.exec(url);
  if (inline !== null)
    return toMapped(
      Buffer.from(
        decodeURIComponent(inline[2] ?? ''),
        inline[1] === undefined ? 'utf8' : 'base64',
      ).toString(),
      folder,
    );
  if (/^[a-z][a-z\d+.-]+:/iu.test(url) && !url.startsWith('file:')) return null;
  const path = toPath(url) ?? resolve(folder, decodeURIComponent(url));
  return toMapped(readSmall(path), dirname(path));
}

function toMapped(json: string, folder: string): Mapped {
  const payload = JSON.parse(json) as SourceMapPayload;
  const root = payload.sourceRoot ?? '';
  return { map: new SourceMap(payload), folder: resolve(folder, toPath(root) ?? root) };
}

function readSmall(path: string): string {
  if (statSync(path).size > mostBytes) throw new Error('too large');
  return readFileSync(path, 'utf8');
}

/** The path that a `file:` URL names, without its query, or a path as it is; null for other names. */
export function toPath(name: string): string | null {
  if (name.startsWith('file:')) {
    try {
      return fileURLToPath(name);
    } catch {
      return null;
    }
  }
  return /^(?:\/|[a-z]:[\\/]|\\\\)/iu.test(name) ? name.replace(/\?.*/su, '') : null;
}
