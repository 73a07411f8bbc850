import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { foldersUp } from '../../rules/project/folders-up.ts';
import { toPlainText } from '../activity/plain-text.ts';

/** Whether a path is a folder or below it; both absolute, and without links. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Where a path leads when links are followed; what is not there is where its folder leads. */
export function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(placeOf(dirname(path)), basename(path));
  }
}

/** The nearest folder with a `.git`, from a folder upwards. */
export function repositoryOf(folder: string): string | undefined {
  return foldersUp(folder).find((each) => existsSync(join(each, '.git')));
}

/** What a repository may have put its own links into: that which the working folder belongs to, else the folder. */
export function workspaceOf(cwd: string): string {
  return placeOf(repositoryOf(cwd) ?? resolve(cwd));
}

/** A path as seen from the workspace. */
interface Way {
  /** Whether it names something in the workspace. */
  readonly isWithin: boolean;
  /** Where it leads although its name says otherwise, by a link in the workspace; undefined where none does. */
  readonly ledTo?: string;
}

export function wayTo(path: string, cwd: string): Way {
  const workspace = workspaceOf(cwd);
  const absolute = resolve(cwd, path);
  const start = foldersUp(dirname(absolute)).findLast((each) => isInside(placeOf(each), workspace));
  // In a root folder everything would be the workspace.
  if (start === undefined || workspace === dirname(workspace)) return { isWithin: false };
  const named = join(placeOf(start), relative(start, absolute));
  const place = targetOf(absolute) ?? placeOf(absolute);
  return { isWithin: true, ...(place === named ? {} : { ledTo: place }) };
}

/** Where a link leads, also to what is not there; undefined for what is no link. */
function targetOf(path: string): string | undefined {
  try {
    return placeOf(resolve(placeOf(dirname(path)), readlinkSync(path)));
  } catch {
    return undefined;
  }
}

/** Why nothing is written where a link leads. */
export function ledAway(path: string, place: string): string {
  return `${toPlainText(path)} is not written: a link leads from there to ${toPlainText(place)}. Delete the link, or name that place itself.`;
}
