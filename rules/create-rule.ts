import type { Rule } from 'eslint';
import { analyse } from './analysis/analyse.ts';
import type { Suggestion } from './analysis/findings/finding.ts';

export interface RuleText {
  readonly id: string;
  readonly description: string;
  /** What findings say, and what their suggestions say. */
  readonly messages: Readonly<Record<string, string>>;
  readonly hasSuggestions?: boolean;
}

/** A rule that reports the findings of the analysis that bear its name. */
export function createRule({ id, description, messages, hasSuggestions = false }: RuleText): Rule.RuleModule {
  return {
    meta: {
      type: 'problem',
      docs: { description, url: `https://github.com/poolguard/poolguard/blob/main/docs/rules/${id}.md` },
      hasSuggestions,
      schema: [],
      messages: { ...messages },
    },
    create: (context) => ({
      'Program:exit'() {
        for (const { rule, messageId, data, place, suggestions = [] } of analyse(context)) {
          if (rule === id) context.report({ loc: place, messageId, data, suggest: suggestions.map(reportOf) });
        }
      },
    }),
  };
}

function reportOf({ messageId, data, at, text }: Suggestion): Rule.SuggestionReportDescriptor {
  return { messageId, data, fix: (fixer) => fixer.insertTextBeforeRange([at, at], text) };
}
