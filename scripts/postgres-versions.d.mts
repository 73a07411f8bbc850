/** Folder with `initdb` and `postgres` of a major version; undefined when it is not on this machine. */
export function findPrograms(major: number): string | undefined;
/** Those that Poolguard reads, but the one that npm brings. */
export const majors: readonly number[];
