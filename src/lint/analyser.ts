import { analyse, type FileAnalysis } from '../../rules/analyse.ts';
import { describedRules } from '../../rules/described-rules.ts';
import { reachesPool } from '../../rules/project/leads-to-pool.ts';
import type { Modules } from '../../rules/project/modules.ts';
import { textOnly } from '../../rules/project/trees.ts';
import type { DescribedRule } from '../../rules/rule-text.ts';
import type { SourceFile } from '../../rules/syntax/source-file.ts';

/** What linting needs of the rules; tests pass a smaller one. */
export interface Analyser {
  /** In the order in which they report what is at one place. */
  readonly rules: readonly DescribedRule[];
  readonly analyse: (file: SourceFile, program: Modules, settings: unknown) => FileAnalysis;
  /** False for a file in which no rule finds anything, as its text and its imports tell; nothing is parsed. */
  readonly mayFind: (source: Pick<SourceFile, 'path' | 'text'>, program: Modules) => boolean;
}

/** The real one; everything else takes an analyser as an argument. */
export const poolguard: Analyser = {
  rules: describedRules,
  analyse,
  mayFind({ path, text }, program) {
    const file = textOnly(path, text);
    return reachesPool(file, program.readerFor(file));
  },
};

export const prefix = 'poolguard/';

/** Rule ids as users write them: `poolguard/<rule>`. */
export function ruleIdsOf({ rules }: Pick<Analyser, 'rules'>): string[] {
  return rules.map(({ id }) => `${prefix}${id}`);
}

/** What a machine or a person may want to know about a rule. */
export interface RuleFacts {
  readonly description?: string;
  readonly url?: string;
}

/** Of a rule by its id as users write it; empty for one that there is not. */
export function factsOf({ rules }: Pick<Analyser, 'rules'>, ruleId: string): RuleFacts {
  const rule = rules.find(({ id }) => `${prefix}${id}` === ruleId);
  if (rule === undefined) return {};
  const { description, url } = rule.meta.docs;
  return { description, url };
}
