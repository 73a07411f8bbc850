import { bundledPackagesOf, type BundledPackage } from './bundled-packages.ts';
import type { Artifact } from './artifacts.ts';
import { embeddedParts, embeddedText, licenceTexts, objectionTo } from './licences.ts';

const line = '-'.repeat(78);

/** The notice of an artifact: each package that is bundled, with version and licence text. Throws sentences when a package may not be passed on. */
export function noticeOf(artifact: Artifact, root: string): string {
  const packages = bundledPackagesOf(artifact, root);
  const objections = packages.flatMap((each) => objectionTo(each) ?? []);
  if (objections.length > 0) throw new Error(objections.join('\n'));
  const head = `${artifact.name} holds parts of the following packages. Each stands under its own licence, which is printed below it.`;
  return `${[head, ...packages.flatMap((each) => entriesOf(each, root))].join(`\n\n${line}\n\n`)}\n`;
}

function entriesOf(bundled: BundledPackage, root: string): readonly string[] {
  const { name, version, license, bundles } = bundled;
  const own = [
    `${name} ${version}`,
    `Licence: ${license}`,
    `In: ${bundles.join(', ')}`,
    '',
    licenceTexts(bundled, root).join('\n\n'),
  ].join('\n');
  const inside = embeddedParts
    .filter((part) => part.inside === name)
    .map((part) =>
      [
        `${part.name}, inside of ${name} ${version}`,
        `Licence: ${part.license}`,
        '',
        embeddedText(part),
      ].join('\n'),
    );
  return [own, ...inside];
}
