import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPublished } from '../../src/publication.ts';

const manifests = ['package.json', 'rules/package.json', 'monitor/package.json'];

interface Versioned {
  readonly version: string;
}

/** The one version of everything that is published. */
export function currentVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Versioned).version;
}

/** What stands against publishing under this tag, in sentences; without a tag only what has to agree at any time. */
export function checkVersions(
  root: string,
  tag?: string,
  published = isPublished,
): readonly string[] {
  const version = currentVersion(root);
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const locked = (
    read('package-lock.json') as { readonly packages: Readonly<Record<string, Partial<Versioned>>> }
  ).packages;
  const stated: readonly (readonly [where: string, version: string | undefined])[] = [
    ...manifests.map((path) => [path, (read(path) as Versioned).version] as const),
    ...['', 'rules', 'monitor'].map(
      (folder) =>
        [
          `package-lock.json for ${folder === '' ? 'the repository' : folder}`,
          locked[folder]?.version,
        ] as const,
    ),
  ];
  return [
    ...stated
      .filter(([, each]) => each !== version)
      .map(
        ([where, each]) =>
          `The version in ${where} is ${each ?? 'missing'}, and in package.json ${version}: change them together.`,
      ),
    ...(tag === undefined
      ? []
      : [
          ...checkTag(tag, version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8')),
          ...(published
            ? []
            : [
                'The documents call Poolguard unpublished: set isPublished in src/publication.ts and run `npm run docs`.',
              ]),
        ]),
  ];
}

function checkTag(tag: string, version: string, changelog: string): readonly string[] {
  return [
    ...(tag === `v${version}`
      ? []
      : [`The tag is ${tag} and the version ${version}: the tag must be v${version}.`]),
    ...(changelogSection(changelog, version) === undefined
      ? [`CHANGELOG.md has no section ## [${version}] with lines in it.`]
      : []),
    ...(changelog.includes(`\n## [${version}] - Unreleased\n`)
      ? [`CHANGELOG.md calls ${version} unreleased: give its heading the date.`]
      : []),
    ...(changelogSection(changelog, 'Unreleased') === undefined
      ? []
      : [`CHANGELOG.md still has lines under [Unreleased]: move them under [${version}].`]),
  ];
}

/** What the changelog says of a version, without its heading; undefined when it says nothing. */
export function changelogSection(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^(?=## \[)/mu);
  const section = sections.find((each) => each.startsWith(`## [${version}]`));
  const text = section?.slice(section.indexOf('\n')).trim() ?? '';
  return text === '' ? undefined : text;
}
