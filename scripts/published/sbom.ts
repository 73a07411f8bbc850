import { Factories } from '@cyclonedx/cyclonedx-library/Contrib/License';
import { ComponentScope, ComponentType } from '@cyclonedx/cyclonedx-library/Enums';
import { Bom, Component, Metadata, Property } from '@cyclonedx/cyclonedx-library/Models';
import { JSON as CycloneJson, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6, Version } from '@cyclonedx/cyclonedx-library/Spec';
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation';
import { PackageURL } from 'packageurl-js';
import satisfies from 'spdx-satisfies';
import type { Artifact } from './artifacts.ts';
import { bundledPackagesOf } from './bundled-packages.ts';
import { allowedLicences, embeddedParts } from './licences.ts';
import { currentVersion } from './versions.ts';

/** Where an SBOM says which files of ours hold a package. */
export const bundledIn = 'poolguard:bundledIn';

/** The software bill of materials of an artifact as CycloneDX 1.6 JSON: what is bundled, which is all there is, as npm installs nothing with it. Throws a sentence when it does not meet the schema. */
export async function sbomOf(artifact: Artifact, root: string): Promise<string> {
  const bom = new Bom({ metadata: new Metadata({ component: self(artifact, root) }) });
  for (const component of bundledComponents(artifact, root)) {
    bom.components.add(component);
    bom.metadata.component?.dependencies.add(component.bomRef);
  }
  const text = new JsonSerializer(new CycloneJson.Normalize.Factory(Spec1dot6)).serialize(bom, {
    sortLists: true,
    space: 2,
  });
  const objection = await objectionTo(text);
  if (objection !== undefined)
    throw new Error(
      `The bill of materials of ${artifact.name} does not meet the schema of CycloneDX: ${objection}`,
    );
  return `${text}\n`;
}

/** What the schema of CycloneDX 1.6 objects to; undefined when nothing. */
export async function objectionTo(sbom: string): Promise<string | undefined> {
  const error: unknown = await new JsonStrictValidator(Version.v1dot6).validate(sbom);
  return error === null ? undefined : JSON.stringify(error);
}

function self({ name, kind }: Artifact, root: string): Component {
  const version = currentVersion(root);
  const purl =
    kind === 'npm'
      ? `pkg:npm/${name}@${version}`
      : `pkg:vscode-extension/poolguard/poolguard@${version}`;
  return withLicence(
    new Component(ComponentType.Application, name, { version, purl, bomRef: purl }),
    'MIT',
  );
}

function bundledComponents(artifact: Artifact, root: string): readonly Component[] {
  return bundledPackagesOf(artifact, root).map(({ name, version, license, bundles }) => {
    const component = withLicence(ofNpm(name, version), license);
    component.properties.add(new Property(bundledIn, bundles.join(', ')));
    for (const part of embeddedParts.filter(({ inside }) => inside === name))
      component.components.add(
        withLicence(
          new Component(ComponentType.Library, part.name, {
            bomRef: `${part.name} inside of ${name}@${version}`,
          }),
          part.license,
        ),
      );
    return component;
  });
}

function ofNpm(fullName: string, version: string): Component {
  const { group, name } = /^(?:(?<group>@[^/]+)\/)?(?<name>.+)$/u.exec(fullName)?.groups ?? {};
  const purl = new PackageURL(
    'npm',
    group,
    name ?? fullName,
    version,
    undefined,
    undefined,
  ).toString();
  return new Component(ComponentType.Library, name ?? fullName, {
    ...(group === undefined ? {} : { group }),
    version,
    purl,
    bomRef: purl,
    scope: ComponentScope.Required,
  });
}

function withLicence(component: Component, license: string): Component {
  // `satisfies` throws at what is no expression of SPDX's; such a licence goes in by its name.
  const factory = new Factories.LicenseFactory((text) => void satisfies(text, allowedLicences));
  component.licenses.add(factory.makeFromString(license));
  return component;
}
