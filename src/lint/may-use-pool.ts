import { driverPackages } from '../../rules/model/drivers.ts';

const word = /import|require|pool|client|connect|query|release/iu;

/** Above this many characters a file is generated; an editor would only wait for it. */
const longestWorthALook = 2_000_000;

export function isTooLarge(text: string): boolean {
  return text.length > longestWorthALook;
}

/**
 * Whether linting could find anything, asked at each keystroke in an editor, so it only looks at words.
 * A pool comes from an import, or the file names one itself: a file without any of these words can hold no finding.
 */
export function mayUsePool(text: string): boolean {
  return !isTooLarge(text) && word.test(text);
}

/** Whether a text holds something like `new Pool`, `new pg.Pool` or `new (require('pg').Pool)`. */
export function mayMakePool(text: string): boolean {
  return /\bnew\b[^;]{0,100}?Pool/u.test(text);
}

const driverName = new RegExp(
  `["'\`](?:npm:)?(?:@types/)?(?:${[...driverPackages].join('|')})(?:@[\\w.^~-]+)?(?:/[\\w./-]*)?["'\`]`,
  'u',
);

/** Whether a text names a driver as an import does: the manifests around it may keep silent about what is installed all the same. */
export function namesDriver(text: string): boolean {
  return driverName.test(text);
}
