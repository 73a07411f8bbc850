import { libraries } from '../../rules/model/libraries.ts';
import { packageOf } from '../../rules/model/versions.ts';

interface Lock {
  readonly packages: Readonly<Record<string, Installed | undefined>>;
}

interface Installed {
  readonly version?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Where the samples of libraries are, which are run and compared with their rows. */
const workspace = 'test/libraries';

/** The libraries of the table whose samples are run, with their versions in npm's lock file. */
export function versionsRun(lock: string): string {
  const { packages } = JSON.parse(lock) as Lock;
  const dependencies = packages[workspace]?.devDependencies ?? {};
  const versionOf = (name: string) =>
    (packages[`${workspace}/node_modules/${name}`] ?? packages[`node_modules/${name}`])?.version;
  const entries = [...new Set(libraries.map(({ name }) => name))].flatMap((library) => {
    const names = libraries
      .filter(({ name }) => name === library)
      .map(({ module }) => packageOf(module))
      .filter((name) => name in dependencies);
    const versions = [...new Set(names)].flatMap((name) => versionOf(name) ?? []);
    return versions.length > 0 ? [`${library} ${[...new Set(versions)].join(' and ')}`] : [];
  });
  return `Run with ${entries.slice(0, -1).join(', ')} and ${entries.at(-1)}.`;
}
