import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import spdxLicenses from 'spdx-license-list/full.js';
import satisfies from 'spdx-satisfies';
import type { BundledPackage } from './bundled-packages.ts';

/** Licences under which a package may be bundled: each asks for its text and its copyright lines, and for nothing else. */
export const allowedLicences = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'PostgreSQL',
];

/** Code that stands inside of a package of another author, whose licence file does not speak of it. */
export interface EmbeddedPart {
  /** The package that holds it. */
  readonly inside: string;
  readonly name: string;
  readonly license: 'PostgreSQL' | 'BSD-2-Clause' | 'BSD-3-Clause';
  /** As its sources have them. */
  readonly copyright: readonly string[];
}

/** The WebAssembly of libpg-query is compiled from these (github.com/pganalyze/libpg_query: LICENSE, README.md, vendor/). */
export const embeddedParts: readonly EmbeddedPart[] = [
  {
    inside: 'libpg-query',
    name: 'libpg_query',
    license: 'BSD-3-Clause',
    copyright: [
      'Copyright (c) 2015, Lukas Fittl',
      'Copyright (c) 2016-2023, Duboce Labs, Inc. (pganalyze)',
    ],
  },
  {
    inside: 'libpg-query',
    name: "PostgreSQL's parser",
    license: 'PostgreSQL',
    copyright: [
      'Portions Copyright (c) 1996-2025, The PostgreSQL Global Development Group',
      'Portions Copyright (c) 1994, The Regents of the University of California',
    ],
  },
  {
    inside: 'libpg-query',
    name: 'protobuf-c',
    license: 'BSD-2-Clause',
    copyright: ['Copyright (c) 2008-2018, Dave Benson and the protobuf-c authors'],
  },
  {
    inside: 'libpg-query',
    name: 'xxHash',
    license: 'BSD-2-Clause',
    copyright: ['Copyright (C) 2012-2020, Yann Collet'],
  },
];

/** What stands against bundling under this licence, as a sentence; undefined when nothing does. */
export function objectionTo({
  name,
  version,
  license,
}: Pick<BundledPackage, 'name' | 'version' | 'license'>): string | undefined {
  const refusal = `${name} ${version} is bundled, and its licence "${license}" is not among those of scripts/published/licences.ts: do without the package, or add the licence when its terms are kept.`;
  try {
    return satisfies(license, allowedLicences) ? undefined : refusal;
  } catch {
    return refusal;
  }
}

const licenceFile = /^(?:un)?licen[cs]e|^copying|^notice|^third-?party-?notice/iu;
/** Some packages print their licence in their README and nowhere else. */
const readmeSection = /^#+ *licen[cs]e\b[^\n]*\n(?<text>[^]*?)(?=^#|(?![^]))/imu;

/** Every text that a package asks to be passed on, as its folder has them. Throws a sentence when there is none. */
export function licenceTexts(
  { name, version, folder }: Pick<BundledPackage, 'name' | 'version' | 'folder'>,
  root: string,
): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
  const read = (file: string): string =>
    readFileSync(join(root, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
  const texts = entries.filter((file) => licenceFile.test(file)).map(read);
  const readme = entries.find((file) => /^readme/iu.test(file));
  const section =
    texts.length > 0 || readme === undefined
      ? undefined
      : readmeSection.exec(read(readme))?.groups?.['text']?.trim();
  const found = [...texts, ...(section === undefined ? [] : [section])].filter((text) =>
    /copyright|permission|licen[cs]e/iu.test(text),
  );
  if (found.length === 0)
    throw new Error(
      `${name} ${version} is bundled and has no licence text, neither in a file nor in its README: it cannot be passed on.`,
    );
  return found;
}

/** The text of an embedded part's licence, with the copyright lines of the part. */
export function embeddedText({ license, copyright }: EmbeddedPart): string {
  const text = spdxLicenses[license]?.licenseText ?? '';
  const terms = text.slice(text.search(/^(?:Permission|Redistribution)/mu)).trim();
  return `${copyright.join('\n')}\n\n${terms}`;
}
