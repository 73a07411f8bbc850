import type { ESLint, Linter, SourceCode } from 'eslint';
import type {
  DeclaredPool,
  Edit,
  Finding,
  HeldSpan,
  PoolValues,
  WrittenQuery,
  WrittenRoute,
  WrittenStatement,
} from '../../rules/index.ts';
import type { Unparsed } from '../../rules/project/leads-to-pool.ts';

/** The parts of `eslint-plugin-poolguard` that linting needs; tests pass a smaller one. */
export interface Plugin {
  readonly plugin: ESLint.Plugin;
  /** The findings, with their paths, of a file that was just linted. */
  readonly findingsOf: (sourceCode: SourceCode) => readonly Finding[];
  /** What the analysis of a file that was just linted failed with; undefined where it did not. */
  readonly mistakeIn?: (sourceCode: SourceCode) => unknown;
  /** False for a file in which no rule finds anything, as its text and its imports tell. Left out where every file is worth parsing. */
  readonly leadsToPool?: (unparsed: Unparsed) => boolean;
  /** Where the clients of a file that was just linted are held. */
  readonly heldSpansOf?: (sourceCode: SourceCode) => readonly HeldSpan[];
  /** The pools that a file that was just linted makes. */
  readonly poolsOf?: (sourceCode: SourceCode) => readonly DeclaredPool[];
  /** The texts of SQL that a file which was just linted sends or writes. */
  readonly queriesOf?: (sourceCode: SourceCode) => readonly WrittenQuery[];
  /** The routes of a file that was just linted, with what their handlers send. */
  readonly routesOf?: (sourceCode: SourceCode) => readonly WrittenRoute[];
  readonly statementsOf?: (sourceCode: SourceCode) => readonly WrittenStatement[];
  /** The edits that write numbers into the options of one of these pools; undefined where that cannot be done safely. */
  readonly poolEdits?: (
    sourceCode: SourceCode,
    pool: DeclaredPool,
    values: PoolValues,
  ) => readonly Edit[] | undefined;
}

export const prefix = 'poolguard/';

/** Rule ids as users write them: `poolguard/<rule>`. */
export function ruleIdsOf({ plugin }: Plugin): string[] {
  return Object.keys(plugin.rules ?? {}).map((name) => `${prefix}${name}`);
}

/** Empty when the plugin has no preset of that name. */
export function presetOf({ plugin }: Plugin, name: string): readonly Linter.Config[] {
  const preset = plugin.configs?.[name];
  if (preset === undefined) return [];
  return (Array.isArray(preset) ? preset : [preset]) as Linter.Config[];
}

/** What a machine or a person may want to know about a rule. */
export interface RuleFacts {
  readonly description?: string;
  readonly url?: string;
}

export function factsOf({ plugin }: Plugin, ruleId: string): RuleFacts {
  const rule = plugin.rules?.[ruleId.replace(prefix, '')];
  const { description, url } = (rule?.meta?.docs ?? {}) as RuleFacts;
  return {
    ...(description === undefined ? {} : { description }),
    ...(url === undefined ? {} : { url }),
  };
}
