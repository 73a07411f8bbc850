import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { artifactNamed, noticeFile } from './artifacts.ts';
import { noticeOf } from './notice.ts';
import { packForProjects } from './pack-for-projects.ts';
import { packExtension } from './pack.ts';
import { places, publish, type Place } from './publish.ts';

const root = resolve(import.meta.dirname, '../..');
const say = (line: string): void => console.log(line);
const usage =
  'Usage: notice <package> | pack <npm|vsix> | vsix <file> | check [--tag v1.2.3] [--into folder] | publish <npm|marketplace|open-vsx|github> [--dry-run]';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tag: { type: 'string' },
    into: { type: 'string', default: join(root, 'artifacts') },
    'dry-run': { type: 'boolean', default: false },
  },
});
const [command, argument] = positionals;

const commands: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  notice: () => {
    const artifact = artifactNamed(argument ?? '');
    writeNotice(join(root, artifact.folder, noticeFile), noticeOf(artifact, root));
    return [];
  },
  pack: async () => {
    if (argument !== 'npm' && argument !== 'vsix') return [usage];
    await packForProjects(argument, { root, into: resolve(values.into), say });
    return [];
  },
  vsix: async () => {
    if (argument === undefined) return [usage];
    await packExtension(root, resolve(argument));
    return [];
  },
  check: async () => {
    // Bills of materials take packages that nothing else here needs.
    const { prepareRelease } = await import('./release.ts');
    return prepareRelease({ root, into: resolve(values.into), tag: values.tag, say });
  },
  publish: () => {
    const place = places.find((each) => each === argument);
    if (place === undefined) return [usage];
    return publish(place satisfies Place, {
      root,
      from: resolve(values.into),
      isDryRun: values['dry-run'],
    })
      ? []
      : [`Not everything was brought to ${place}; see above.`];
  },
};

try {
  const objections = (await commands[command ?? '']?.()) ?? [usage];
  for (const objection of objections) console.error(objection);
  process.exitCode = objections.length > 0 ? 1 : 0;
} catch (failure) {
  console.error(failure instanceof Error ? failure.message : String(failure));
  process.exitCode = 1;
}

/** Leaves a file alone that says the same: another npm may be packing it. */
function writeNotice(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
