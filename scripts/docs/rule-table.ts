import type { RuleFacts } from './rule-facts.ts';
import { presetNames } from '../../rules/rule-text.ts';

/** The table of rules on their page and in the README of the plugin; `linkTo` leads to a rule's page. */
export function ruleTable(
  rules: readonly RuleFacts[],
  linkTo: (rule: RuleFacts) => string,
): string {
  const rows = rules.map((rule) =>
    row([
      `[${rule.id}](${linkTo(rule)})`,
      rule.description,
      ...presetNames.map((name) => severityText(rule, name)),
      rule.hasSuggestions ? '💡' : '',
      rule.options.length > 0 ? '⚙️' : '',
    ]),
  );
  return [
    row(['rule', 'description', ...presetNames.map((name) => `\`${name}\``), '💡', '⚙️']),
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '💡 offers a suggestion for some findings, ⚙️ has options.',
  ].join('\n');
}

function severityText({ severities }: RuleFacts, name: (typeof presetNames)[number]): string {
  return severities[name] === 'off' ? '' : severities[name];
}

function row(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
}

/** The configuration of oxlint that says what the preset `recommended` says: oxlint knows no presets of plugins. */
export function oxlintConfiguration(rules: readonly RuleFacts[]): string {
  const chosen = rules
    .filter(({ severities }) => severities.recommended !== 'off')
    .map(({ id, severities }) => [`poolguard/${id}`, severities.recommended]);
  const text = JSON.stringify(
    { jsPlugins: ['eslint-plugin-poolguard'], rules: Object.fromEntries(chosen) as object },
    null,
    2,
  );
  return ['```json', text.replace(/\[\s+("[^"]+")\s+\]/u, '[$1]'), '```'].join('\n');
}
