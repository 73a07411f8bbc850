import type { Rule } from 'eslint';
import { analyse } from './checks/analyse.ts';
import type { Finding } from './checks/finding.ts';
import type { Suggestion } from './fixes/suggestion.ts';
import type { DescribedRule, RuleMeta } from './rule-text.ts';

export interface PoolguardRule extends Rule.RuleModule {
  readonly meta: RuleMeta;
}

/** A rule that reports the findings of the analysis that bear its name. */
export function createRule({ id, meta, accepts }: DescribedRule): PoolguardRule {
  return {
    meta,
    create: (context) => ({
      'Program:exit'() {
        for (const finding of analyse(context)) {
          if (finding.rule === id && accepts(finding, context.options[0]))
            context.report(reportOf(finding));
        }
      },
    }),
  };
}

function reportOf({ messageId, data, place, suggestions = [] }: Finding): Rule.ReportDescriptor {
  return { loc: place, messageId, data, suggest: suggestions.map(suggestionOf) };
}

function suggestionOf({ messageId, data, edits }: Suggestion): Rule.SuggestionReportDescriptor {
  return {
    messageId,
    data,
    fix: (fixer) => edits.map(({ range, text }) => fixer.replaceTextRange([...range], text)),
  };
}
