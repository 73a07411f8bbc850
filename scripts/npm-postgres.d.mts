/** Folder with `initdb` and `postgres` of the installed package. */
export function findNpmPrograms(): string;
