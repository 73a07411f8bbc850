import type { Unit } from '../../support/documents.ts';
import type { Stage } from './stage.ts';
import * as commands from './commands.ts';
import * as files from './files.ts';

/** Who executes which blocks: a function here, or another test, which names the document and `part` in its text. */
export interface Claim {
  readonly name: string;
  readonly document?: string | RegExp;
  readonly language: string;
  /** What the block says, or what stands above it. */
  readonly text?: RegExp;
  readonly caption?: RegExp;
  readonly run?: (unit: Unit, stage: Stage) => void | Promise<void>;
  readonly by?: string;
  readonly part?: string;
}

const monitorTest = 'test/docs/monitor.integration.test.ts';
const adoptingTest = 'test/docs/adopting.integration.test.ts';
const k6Test = 'test/docs/k6.integration.test.ts';
const probesTest = 'test/database/readme-probes.test.ts';

export const claims: readonly Claim[] = [
  {
    name: 'examples of rules',
    document: /^docs\/rules\//u,
    language: '(js|ts|json)',
    caption: /^[❌✅]/u,
    by: 'test/docs/rules.test.ts',
    part: '❌',
  },
  {
    name: 'the finding of the README',
    document: 'README.md',
    language: 'text',
    text: /^examples\//u,
    by: 'test/readme.integration.test.ts',
    part: 'the finding shown is what the command prints',
  },
  {
    name: 'the configuration of the README',
    document: 'README.md',
    language: 'js',
    text: /defineConfig/u,
    by: 'test/readme.integration.test.ts',
    part: 'the ESLint configuration finds the leaks',
  },
  {
    name: 'examples of libraries',
    document: /^docs\/libraries\//u,
    language: '(js|ts)',
    caption: /^[❌✅]/u,
    by: 'test/docs/libraries.test.ts',
    part: '❌',
  },
  {
    name: 'what is found in them',
    document: /^docs\/libraries\//u,
    language: 'text',
    text: /^\d+:\d+ {2}(?:error|warning)/u,
    by: 'test/docs/libraries.test.ts',
    part: 'shown.trim()',
  },
  {
    name: 'the configuration for libraries',
    document: /^docs\/libraries\//u,
    language: 'js',
    text: /defineConfig/u,
    by: 'test/docs/libraries.test.ts',
    part: 'has the configuration of the README',
  },

  {
    name: 'an application with a mistake',
    document: 'docs/monitor.md',
    language: 'js',
    text: /listOrders/u,
    by: monitorTest,
    part: 'listOrders',
  },
  {
    name: 'a shutdown with a limit',
    document: 'docs/monitor.md',
    language: 'js',
    text: /SIGTERM/u,
    by: monitorTest,
    part: 'SIGTERM',
  },
  {
    name: 'its first look',
    document: 'docs/monitor.md',
    language: 'sh',
    text: /shop\.mjs/u,
    by: monitorTest,
    part: 'shop.mjs',
  },
  {
    name: 'what that prints',
    document: 'docs/monitor.md',
    language: 'text',
    text: /^\[poolguard\]/u,
    by: monitorTest,
    part: '[poolguard]',
  },
  {
    name: 'the monitor below a script',
    document: 'docs/monitor.md',
    language: 'sh',
    text: /^NODE_OPTIONS.*npm start/u,
    by: monitorTest,
    part: 'npm start',
  },
  {
    name: 'Prometheus',
    document: 'docs/monitor.md',
    language: 'js',
    text: /PrometheusExporter/u,
    by: monitorTest,
    part: 'PrometheusExporter',
  },
  {
    name: 'an application with telemetry',
    document: 'docs/monitor.md',
    language: 'sh',
    text: /telemetry/u,
    by: monitorTest,
    part: 'telemetry',
  },
  {
    name: 'one pool watched',
    document: 'monitor/README.md',
    language: 'js',
    by: monitorTest,
    part: 'watchPool',
  },
  {
    name: 'the monitor loaded first',
    document: /^(?:monitor\/)?README\.md$/u,
    language: 'sh',
    text: /^node --import poolguard-monitor\/register/u,
    by: monitorTest,
    part: 'its command runs',
  },

  {
    name: 'suppressions',
    document: 'docs/adopting.md',
    language: 'sh',
    text: /--suppress-all/u,
    by: adoptingTest,
    part: '--suppress-all',
  },
  {
    name: 'pruning',
    document: 'docs/adopting.md',
    language: 'sh',
    text: /--prune-suppressions/u,
    by: adoptingTest,
    part: '--prune-suppressions',
  },
  {
    name: 'counted warnings',
    document: 'docs/adopting.md',
    language: 'sh',
    text: /--max-warnings/u,
    by: adoptingTest,
    part: '--max-warnings',
  },
  {
    name: 'the comment',
    document: 'docs/adopting.md',
    language: 'js',
    by: adoptingTest,
    part: 'silences %s, and without it',
  },
  {
    name: 'GitLab',
    document: 'docs/ci.md',
    language: 'yaml',
    text: /^poolguard:/u,
    by: adoptingTest,
    part: 'GitLab: each line runs',
  },
  {
    name: 'GitHub Actions',
    document: 'docs/ci.md',
    language: 'yaml',
    text: /^name: poolguard$/mu,
    by: adoptingTest,
    part: 'GitHub: each step runs, with pinned actions',
  },

  {
    name: 'exports for k6',
    document: 'docs/k6.md',
    language: 'sh',
    text: /^npx poolguard .*--export k6/u,
    by: k6Test,
    part: '--export k6',
  },
  {
    name: 'a k6 run',
    document: 'docs/k6.md',
    language: 'sh',
    text: /^k6 run/u,
    by: k6Test,
    part: 'k6 run',
  },
  {
    name: 'a cluster',
    document: 'docs/k6.md',
    language: 'sh',
    text: /^kubectl/u,
    by: k6Test,
    part: 'kubectl',
  },
  {
    name: 'the arithmetic of connections',
    document: 'docs/k6.md',
    language: 'text',
    by: k6Test,
    part: 'connections = ',
  },

  {
    name: 'a sweep with an installed k6',
    document: 'docs/k6.md',
    language: 'sh',
    text: /--load k6/u,
    by: 'test/k6/sweep.test.ts',
    part: "'--load', 'k6'",
  },
  {
    name: 'probes',
    language: 'sh',
    text: /^npx poolguard probe\b(?!.* --(?:export|baseline|yes)\b)/u,
    by: probesTest,
    part: 'npx poolguard probe',
  },

  {
    name: 'a probe that is kept',
    language: 'sh',
    text: /^npx poolguard probe --yes --output/u,
    run: commands.measures,
  },
  {
    name: 'a probe against a baseline',
    language: 'sh',
    text: /^npx poolguard probe .*--baseline/u,
    run: commands.plansTheComparison,
  },
  {
    name: 'lint',
    language: 'sh',
    text: /^(?:POOLGUARD_DEBUG=verdicts )?npx poolguard lint\b/u,
    run: commands.lintFindsTheLeak,
  },
  { name: 'ESLint', language: 'sh', text: /^npx eslint \.$/u, run: commands.eslintFindsTheLeak },
  {
    name: 'activity',
    language: 'sh',
    text: /^npx poolguard activity\b/u,
    run: commands.showsTheServer,
  },
  {
    name: 'the pooler',
    language: 'sh',
    text: /^npx poolguard pooler\b/u,
    run: commands.showsThePooler,
  },
  {
    name: 'a sweep',
    language: 'sh',
    text: /^npx poolguard sweep\b(?!.*--(?:export|load k6))/u,
    run: commands.plansTheSweep,
  },
  {
    name: 'a report',
    language: 'sh',
    text: /^npx poolguard report\b/u,
    run: commands.writesTheReport,
  },
  { name: 'an address', language: 'sh', text: /^export /u, run: commands.readsAsAnAddress },
  // These three are not run: commands.ts says why, and what is looked at instead.
  {
    name: 'packages',
    language: 'sh',
    text: /^npm install --save-dev/u,
    run: commands.installsWhatIsOurs,
  },
  {
    name: 'the extension',
    language: 'sh',
    text: /^code --install-extension/u,
    run: commands.installsTheExtension,
  },
  {
    name: 'scripts of this repository',
    document:
      /^(?:README|docs\/(?:accuracy|getting-started|performance|releasing)|examples\/[\w-]+\/README)\.md$/u,
    language: 'sh',
    text: /^(?:\w+=(?:"[^"]*"|\S+) )*npm (?:start|test|run (?!release:check).*)$/u,
    run: commands.hasTheScript,
  },

  {
    name: 'a file with or without a leak',
    document: 'docs/getting-started.md',
    language: 'js',
    text: /placeOrder/u,
    run: files.isLinted,
  },
  {
    name: 'what lint prints of it',
    document: 'docs/getting-started.md',
    language: 'text',
    run: files.isPrinted,
  },
  {
    name: 'the verdict',
    document: 'docs/troubleshooting.md',
    language: 'text',
    run: files.isTheVerdict,
  },
  {
    name: 'a pool whose size is a variable',
    document: 'docs/sweep.md',
    language: 'js',
    run: files.isFine,
  },
  {
    name: 'a configuration of ESLint',
    document: /^(?!README|docs\/(?:adopting|monitor|sweep))/u,
    language: 'js',
    text: /^(?:import poolguard .*\n\n)?export default \[/u,
    caption: /^(?![❌✅])/u,
    run: files.configuresEslint,
  },
  {
    name: 'rules as JSON',
    document: /^docs\/rules\//u,
    language: 'json',
    caption: /^(?![❌✅])/u,
    run: files.configuresRules,
  },
  {
    name: 'a configuration of oxlint',
    document: 'rules/README.md',
    language: 'json',
    run: files.configuresOxlint,
  },
  {
    name: 'settings of the editor',
    document: 'docs/settings.md',
    language: 'json',
    run: files.areSettings,
  },
  { name: 'Neovim', document: 'docs/editors.md', language: 'lua', run: files.startsFromLua },
  { name: 'Helix', document: 'docs/editors.md', language: 'toml', run: files.startsFromToml },
  { name: 'SQL', language: 'sql', run: files.runsAsSql },
  { name: 'pgbouncer.ini', document: 'docs/poolers.md', language: 'ini', run: files.isOfPgBouncer },
  {
    name: 'the check before a release',
    document: 'docs/releasing.md',
    language: 'sh',
    text: /^npm run release:check/u,
    by: 'test/published/artifacts.test.ts',
    part: 'npm run release:check',
  },
  { name: 'the map', document: 'ARCHITECTURE.md', language: '', run: files.drawsWhatExists },
];

export function isClaimed(
  unit: Unit,
  { document, language, text = /(?:)/u, caption = /(?:)/u }: Claim,
): boolean {
  const isThere =
    document === undefined ||
    (typeof document === 'string' ? document === unit.document : document.test(unit.document));
  return (
    isThere &&
    new RegExp(`^${language}$`, 'u').test(unit.language) &&
    text.test(unit.text) &&
    caption.test(unit.caption)
  );
}
