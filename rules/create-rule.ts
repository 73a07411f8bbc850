import type { Rule } from 'eslint';
import { analyse } from './analysis/analyse.ts';

export interface RuleText {
  readonly id: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, string>>;
}

/** A rule that reports the findings of the analysis that bear its name. */
export function createRule({ id, description, messages }: RuleText): Rule.RuleModule {
  return {
    meta: {
      type: 'problem',
      docs: { description, url: `https://github.com/poolguard/poolguard/blob/main/docs/rules/${id}.md` },
      schema: [],
      messages: { ...messages },
    },
    create: (context) => ({
      'Program:exit'() {
        for (const { rule, messageId, data, place } of analyse(context)) {
          if (rule === id) context.report({ loc: place, messageId, data });
        }
      },
    }),
  };
}
