import { findPrograms } from '../../../scripts/postgres-versions.mjs';

/** Folder with the programs of that version of PostgreSQL; undefined for the one that npm brings. */
export function programsOf(major: number): string | undefined {
  if (major === 18) return undefined;
  const programs = findPrograms(major);
  if (programs === undefined)
    throw new Error(`PostgreSQL ${major} is not on this machine: npm run test:hostile brings it.`);
  return programs;
}
