import { posix } from 'node:path';
import { toInstall, type PackageName } from '../../src/publication.ts';
import { fillBetween, marksFor } from './marks.ts';

const homePage = 'https://github.com/poolguard/poolguard/blob/main/';
const howTo = 'docs/getting-started.md';
const fromCheckout = '#from-a-checkout';
/** What stands below it is about a checkout in either case. */
const checkoutHeading = '\n## From a checkout\n';
const marks = marksFor('installation');

/** The text of a page with how Poolguard is installed: from the registry and the Marketplace, or until it is there from a checkout. */
export function fillInstallation(path: string, text: string, published: boolean): string {
  const [upper = '', ...below] = text.split(checkoutHeading);
  const commands = fillCommands(upper, published);
  const filled = fillNote(path, fillExtension(path, commands, published), published);
  const whole = [filled, ...below].join(checkoutHeading);
  return fillBetween(whole, marks, firstScreen(published)) ?? whole;
}

/** The commands that install packages of ours, in blocks and in sentences. */
function fillCommands(text: string, published: boolean): string {
  const ours =
    /^(?:\.\.\/poolguard\/artifacts\/)?(poolguard|eslint-plugin-poolguard|poolguard-monitor)(?:\.tgz)?$/u;
  return text.replaceAll(/(?<=npm install --save-dev )[^\n`]+/gu, (words) =>
    words
      .split(' ')
      .map((word) => word.replace(ours, (_, name: PackageName) => toInstall(name, published)))
      .join(' '),
  );
}

function fillExtension(path: string, text: string, published: boolean): string {
  return text.replaceAll(
    /(?<=Install the extension `poolguard` )(?:from the extensions view|\[from a checkout\]\([^)]*\))/gu,
    published ? 'from the extensions view' : `[from a checkout](${linkFrom(path)})`,
  );
}

const noteStart = '> Poolguard is not published yet:';

/** Below the first paragraph of a page that shows how something of Poolguard is installed or run. */
function fillNote(path: string, text: string, published: boolean): string {
  const without = text.replace(/^> Poolguard is not published yet:.*\n\n/mu, '');
  const isNeeded =
    !published &&
    path !== 'README.md' &&
    /npx poolguard|npm install --save-dev [^\n`]*poolguard/u.test(without);
  if (!isNeeded) return without;
  const note = `${noteStart} [install it from a checkout](${linkFrom(path)}) first.\n\n`;
  return without.replace(/^# .+\n\n(?:.+\n)+\n/u, (start) => `${start}${note}`);
}

/** The pages of packages are read on npm. */
function linkFrom(path: string): string {
  if (/^(?:rules|monitor)\//u.test(path)) return `${homePage}${howTo}${fromCheckout}`;
  if (path === howTo) return fromCheckout;
  return `${posix.relative(posix.dirname(path), howTo)}${fromCheckout}`;
}

function firstScreen(published: boolean): string {
  const install = `npm install --save-dev ${toInstall('poolguard', published)} ${toInstall('eslint-plugin-poolguard', published)}`;
  return (
    published
      ? [
          '```sh',
          install,
          '```',
          '',
          'The extension for VS Code is in the Marketplace and on Open VSX.',
        ]
      : [
          'Poolguard is not published yet. Install it from a checkout beside your project: the first command runs in the checkout, the second one in your project.',
          '',
          '```sh',
          'npm run package',
          install,
          '```',
          '',
          'For VS Code, run `npm run package:extension` in the checkout, then `code --install-extension artifacts/poolguard.vsix`.',
        ]
  ).join('\n');
}
