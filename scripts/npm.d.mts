/** What npm needs in its environment: nothing where the user's cache can be written, else caches of the repository. */
export function npmCaches(env?: NodeJS.ProcessEnv): Readonly<Record<string, string>>;
