import type { Rule } from 'eslint';
import type { Finding } from './checks/finding.ts';

/** ESLint's own word for a schema, so that the published types name no package besides it. */
type JsonSchema = Exclude<NonNullable<Rule.RuleMetaData['schema']>, false | readonly unknown[]>;

/** The plugin's presets; `strict` holds every rule. */
export const presetNames = ['recommended', 'strict', 'transaction-pooling'] as const;

export type PresetName = (typeof presetNames)[number];

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
  /**
   * Those suggestions, by their messages, that change nothing besides what the rule reports: `poolguard lint --fix` and "Fix all" apply
   * them. None does that changes which SQL is sent, over which client or in which order, or that writes down what only the author
   * knows: a number, what to log, whether a connection was closed on purpose.
   */
  readonly safeSuggestions?: readonly string[];
  readonly type?: 'problem' | 'suggestion';
  readonly options?: RuleOptions<Options>;
}

/** The metadata of a rule, as ESLint has it. */
export interface RuleMeta extends Rule.RuleMetaData {
  readonly docs: {
    readonly description: string;
    readonly url: string;
    readonly severities: Severities;
    readonly safeSuggestions: readonly string[];
  };
}

/** All of a rule but the analysis, so that rules can be listed without loading that. */
export interface DescribedRule {
  readonly id: string;
  readonly meta: RuleMeta;
  /** Whether a finding that bears the rule's name is reported, under the options that somebody has written. */
  readonly accepts: (finding: Finding, written: unknown) => boolean;
}

export function describeRule<Options extends object = object>({
  id,
  description,
  severities,
  messages,
  hasSuggestions = false,
  safeSuggestions = [],
  type = 'problem',
  options,
}: RuleText<Options>): DescribedRule {
  return {
    id,
    meta: {
      type,
      docs: {
        description,
        url: `https://github.com/poolguard/poolguard/blob/main/docs/rules/${id}.md`,
        severities,
        safeSuggestions,
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
    accepts: (finding, written) =>
      options === undefined || options.accepts(finding, chosenOptions(options, written)),
  };
}

/** Defaults are filled in here, too: ESLint does it from 9.15 on, other linters do not. */
function chosenOptions<Options extends object>(
  { defaults }: RuleOptions<Options>,
  written: unknown,
): Options {
  return { ...defaults, ...(written as Partial<Options> | undefined) };
}
