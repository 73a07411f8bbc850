import type { Rule } from 'eslint';
import { analyse } from './checks/analyse.ts';
import type { Finding } from './checks/finding.ts';
import type { Suggestion } from './fixes/suggestion.ts';

/** ESLint's own word for a schema, so that the published types name no package besides it. */
type JsonSchema = Exclude<NonNullable<Rule.RuleMetaData['schema']>, false | readonly unknown[]>;

/** The plugin's presets; `strict` holds every rule. */
export type PresetName = 'recommended' | 'strict' | 'transaction-pooling';

/** A rule's severity in each preset; a preset that is not named leaves it off. */
export type Severities = Readonly<Partial<Record<PresetName, 'warn' | 'error'>>>;

/** What a rule can be told, as one object: each option has a description in its schema, and a default. */
export interface RuleOptions<Options extends object> {
  readonly properties: {
    readonly [Name in keyof Options]: JsonSchema & { readonly description: string };
  };
  readonly defaults: Options;
  /** Whether a finding is still one under these options. Findings are the same for all rules, so options choose among them. */
  accepts(finding: Finding, options: Options): boolean;
}

export interface RuleText<Options extends object> {
  readonly id: string;
  readonly description: string;
  readonly severities: Severities;
  /** What findings say, and what their suggestions say. */
  readonly messages: Readonly<Record<string, string>>;
  readonly hasSuggestions?: boolean;
  readonly type?: 'problem' | 'suggestion';
  readonly options?: RuleOptions<Options>;
}

export interface PoolguardRule extends Rule.RuleModule {
  readonly meta: Rule.RuleMetaData & {
    readonly docs: {
      readonly description: string;
      readonly url: string;
      readonly severities: Severities;
    };
  };
}

/** A rule that reports the findings of the analysis that bear its name. */
export function createRule<Options extends object = object>({
  id,
  description,
  severities,
  messages,
  hasSuggestions = false,
  type = 'problem',
  options,
}: RuleText<Options>): PoolguardRule {
  return {
    meta: {
      type,
      docs: {
        description,
        url: `https://github.com/poolguard/poolguard/blob/main/docs/rules/${id}.md`,
        severities,
      },
      hasSuggestions,
      schema:
        options === undefined
          ? []
          : [
              {
                type: 'object',
                description: `Options of ${id}.`,
                properties: { ...options.properties },
                additionalProperties: false,
              },
            ],
      ...(options === undefined ? {} : { defaultOptions: [options.defaults] }),
      messages: { ...messages },
    },
    create: (context) => ({
      'Program:exit'() {
        const chosen = chosenOptions(options, context);
        for (const finding of analyse(context)) {
          if (
            finding.rule === id &&
            (options === undefined || chosen === undefined || options.accepts(finding, chosen))
          )
            context.report(reportOf(finding));
        }
      },
    }),
  };
}

/** Defaults are filled in here, too: ESLint does it from 9.15 on, other linters do not. */
function chosenOptions<Options extends object>(
  options: RuleOptions<Options> | undefined,
  context: Rule.RuleContext,
): Options | undefined {
  return options === undefined
    ? undefined
    : { ...options.defaults, ...(context.options[0] as Partial<Options> | undefined) };
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
