import type { LintSettings } from '../lint/linter.ts';
import type { Severity } from '../lint/rule-entry.ts';
import { prefix } from '../lint/analyser.ts';
import { parsePooler } from '../lint/pooler.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConfiguredRules } from './host.ts';
import type { HostFacts } from './asked.ts';

/**
 * How a document is linted: by the preset, where the workspace's ESLint names a rule by that, and above all by what the user set for a
 * rule in the editor. Settings are typed by hand: what names no rule, or no pooler, is left out.
 */
export function toLintSettings(
  settings: Settings,
  configured: ConfiguredRules,
  ruleIds: readonly string[],
): LintSettings {
  const pooler = parsePooler(settings.pooler);
  const chosen = chosenSeverities(settings['lint.rules'], ruleIds);
  const known = Object.entries(configured).filter(([rule]) => ruleIds.includes(rule));
  return {
    preset: settings['lint.preset'],
    direct: settings.directAddresses,
    writtenIn: 'editor',
    severities: {
      ...Object.fromEntries(known.map(([rule, { severity }]) => [rule, severity])),
      ...chosen,
    },
    options: Object.fromEntries(known.map(([rule, { options }]) => [rule, options])),
    ...(typeof pooler === 'object' ? { pooler } : {}),
  };
}

/** With or without `poolguard/`. */
function chosenSeverities(
  chosen: Settings['lint.rules'],
  ruleIds: readonly string[],
): Record<string, Severity> {
  return Object.fromEntries(
    ruleIds.flatMap((id) => {
      const severity = chosen[id] ?? chosen[id.slice(prefix.length)];
      return severity === undefined ? [] : [[id, severity]];
    }),
  );
}

/** Whether the editor shows in a file what ESLint reports there. */
export function showsEslint(
  { showsEslint, foldersWithoutEslint }: HostFacts,
  uri: string,
): boolean {
  return (
    showsEslint &&
    !foldersWithoutEslint.some((folder) => uri.startsWith(`${folder.replace(/\/$/u, '')}/`))
  );
}

/** Rules that the workspace's ESLint reports in a file, where the editor shows that and ours step aside. */
export function rulesAside(
  when: Settings['lint.whenEslintReports'],
  showsEslint: boolean,
  configured: ConfiguredRules,
): ReadonlySet<string> {
  if (when !== 'defer' || !showsEslint) return new Set();
  return new Set(
    Object.entries(configured).flatMap(([rule, { severity }]) =>
      severity === 'off' ? [] : [rule],
    ),
  );
}
