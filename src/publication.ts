/** Whether npm, the Marketplace and Open VSX have Poolguard; `npm run docs` writes the documents accordingly. */
export const isPublished: boolean = false;

/** The packages of npm. */
export type PackageName = 'poolguard' | 'eslint-plugin-poolguard' | 'poolguard-monitor';

/** What a package manager is given to install a package: its name, and before there is one the file that `npm run package` writes, in a checkout beside the project. */
export function toInstall(name: PackageName, published = isPublished): string {
  return published ? name : `../poolguard/artifacts/${name}.tgz`;
}
