import type { OptionFacts, RuleFacts } from './rule-facts.ts';
import { fillBetween, marksFor } from './marks.ts';
import { presetNames } from '../../rules/rule-text.ts';

const endOfHeader = '<!-- end of header: `npm run docs` writes what stands above -->';
const optionMarks = marksFor('options');

/**
 * A rule's page with its header and its options as the rule says them; the rest of the page is written by hand.
 * A page without marks gets them: its title, and a bold line right under it, make place for the header.
 */
export function fillRulePage(page: string, rule: RuleFacts): string {
  const [, byHand] = splitAfter(page, endOfHeader);
  const body = byHand ?? page.replace(/^# .*\n+(?:\*\*.*\*\*\n+)?/u, '');
  return fillOptions(`${header(rule)}\n\n${endOfHeader}\n\n${body.trimStart()}`, rule);
}

function splitAfter(text: string, mark: string): readonly [string, string | undefined] {
  const end = text.indexOf(mark);
  return end < 0 ? [text, undefined] : [text.slice(0, end), text.slice(end + mark.length)];
}

function header({ id, description, severities, hasSuggestions, options }: RuleFacts): string {
  const presets = presetNames.flatMap((name) =>
    severities[name] === 'off' ? [] : [`\`${name}\` (${severities[name]})`],
  );
  const facts = [
    presets.length === 0
      ? 'In no preset.'
      : `In the preset${presets.length === 1 ? '' : 's'} ${listOf(presets)}.`,
    ...(hasSuggestions ? ['💡 Offers a suggestion for some findings.'] : []),
    ...(options.length > 0 ? ['⚙️ Has [options](#options).'] : []),
  ];
  return `# ${id}\n\n**${description}**\n\n${facts.join(' ')}`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function fillOptions(page: string, rule: RuleFacts): string {
  const text = optionsText(rule);
  const marked = page.includes(optionMarks.start)
    ? page
    : page.replace(
        /^## Options\n+(?:None\.[ \n]*)?/mu,
        `## Options\n\n${optionMarks.start}\n${optionMarks.end}\n\n`,
      );
  return (
    fillBetween(marked, optionMarks, text) ??
    `${marked.trimEnd()}\n\n## Options\n\n${optionMarks.start}\n\n${text}\n\n${optionMarks.end}\n`
  );
}

function optionsText({ id, options }: RuleFacts): string {
  if (options.length === 0) return 'This rule has no options.';
  const rows = options.map(
    ({ name, description, type, default: value }) =>
      `| \`${name}\` | ${description.replaceAll('|', '\\|')} | ${type.replaceAll('|', '\\|')} | \`${JSON.stringify(value)}\` |`,
  );
  return [
    '| option | what it does | values | default |',
    '|---|---|---|---|',
    ...rows,
    '',
    'The defaults, written out:',
    '',
    '```js',
    configuration(id, options),
    '```',
  ].join('\n');
}

function configuration(id: string, options: readonly OptionFacts[]): string {
  const written = options
    .map(({ name, default: value }) => `${name}: ${literal(value)}`)
    .join(', ');
  return `export default [\n  { rules: { 'poolguard/${id}': ['error', { ${written} }] } },\n];`;
}

/** A value as our style writes it; what JSON.stringify breaks over lines stays on one. */
function literal(value: unknown): string {
  const onOneLine = JSON.stringify(value, null, 1)
    .replaceAll(/([[{])\n *|\n *([\]}])/gu, '$1$2')
    .replaceAll(/\n */gu, ' ');
  return onOneLine.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)/gu, (quoted) =>
    quoted.includes("'") ? quoted : `'${quoted.slice(1, -1)}'`,
  );
}
