import { describe, expect, test } from 'vitest';
import type { RuleFacts } from '../../../scripts/docs/rule-facts.ts';
import { fillRulePage } from '../../../scripts/docs/rule-page.ts';

const rule: RuleFacts = {
  id: 'no-such',
  description: 'Such a thing is done.',
  url: 'https://example.org/no-such.md',
  severities: { recommended: 'off', strict: 'error', 'transaction-pooling': 'off' },
  hasSuggestions: true,
  options: [
    {
      name: 'allow',
      description: 'Names that are fine.',
      type: 'list of string',
      default: ["it's", 'b'],
    },
  ],
};
const body = 'Why it matters.\n\n## Options\n\nNone.\n\n## Further reading\n\n- here\n';

describe('a page without marks', () => {
  const page = fillRulePage(`# no-such\n\n**A hand-written line.**\n\n${body}`, rule);

  test('gets its header in the place of its title and bold line', () => {
    expect(page.split('<!--')[0]).toBe(
      '# no-such\n\n**Such a thing is done.**\n\nIn the preset `strict` (error). 💡 Offers a suggestion for some findings. ⚙️ Has [options](#options).\n\n',
    );
    expect(page).not.toContain('A hand-written line');
    expect(page).toContain('Why it matters.');
  });

  test('gets its options as a table and as a configuration', () => {
    expect(page).toContain('| `allow` | Names that are fine. | list of string | `["it\'s","b"]` |');
    expect(page).toContain(
      "{ rules: { 'poolguard/no-such': ['error', { allow: [\"it's\", 'b'] }] } },",
    );
    expect(page).not.toContain('None.');
    expect(page).toContain('## Further reading\n\n- here\n');
  });
});

test('a filled page stays as it is, and what is written by hand below the options stays too', () => {
  const page = fillRulePage(`# no-such\n\n${body}`, rule).replace(
    '## Further',
    'By hand.\n\n## Further',
  );
  expect(fillRulePage(page, rule)).toBe(page);
  expect(page).toContain('By hand.');
});

test('a page that has no section for options gets one', () => {
  expect(fillRulePage('# no-such\n\nWhy.\n', { ...rule, options: [] })).toMatch(
    /^Why\.\n\n## Options\n\n<!--.*-->\n\nThis rule has no options\.\n\n<!-- end of options -->\n$/mu,
  );
});
