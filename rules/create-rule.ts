import type { TSESTree } from '@typescript-eslint/types';
import type { Rule, SourceCode } from 'eslint';
import { analyse, type FileAnalysis } from './analyse.ts';
import type { Finding } from './checks/finding.ts';
import type { Suggestion } from './fixes/suggestion.ts';
import { createModules, type Modules } from './project/modules.ts';
import { createFileParser, scriptParserOf } from './project/parse-file.ts';
import type { SourceFile } from './syntax/source-file.ts';
import type { DescribedRule, RuleMeta } from './rule-text.ts';

export interface PoolguardRule extends Rule.RuleModule {
  readonly meta: RuleMeta;
}

/** A rule that reports the findings of the analysis that bear its name. A file without any gets no visitor. */
export function createRule({ id, meta, accepts }: DescribedRule): PoolguardRule {
  return {
    meta,
    create(context) {
      const found = analysisFor(context)
        .findings()
        .filter((finding) => finding.rule === id && accepts(finding, context.options[0]));
      return found.length === 0
        ? {}
        : {
            'Program:exit'() {
              for (const finding of found) context.report(reportOf(finding));
            },
          };
    },
  };
}

// A cache, keyed by the source: the first rule that asks does the work for every rule.
const analysesBySource = new WeakMap<SourceCode, FileAnalysis>();
// A cache, keyed by the parser: what a run needs of other files is kept for as long as its parser lives.
const programsByParser = new WeakMap<object, Modules>();
/** Stands for the parser where none is told. */
const noParser = {};

function analysisFor(context: Rule.RuleContext): FileAnalysis {
  const { sourceCode, filename, settings } = context;
  const known = analysesBySource.get(sourceCode);
  if (known !== undefined) return known;
  const { text, ast, scopeManager: scopes, visitorKeys } = sourceCode;
  const file = {
    path: filename,
    text,
    ast: ast as unknown as TSESTree.Program,
    scopes,
    visitorKeys,
  };
  const analysis = analyse(file, programFor(context, visitorKeys), settings['poolguard']);
  analysesBySource.set(sourceCode, analysis);
  return analysis;
}

/** Other files are parsed by the parser that ESLint was configured with for this one. */
function programFor(
  { languageOptions, cwd }: Rule.RuleContext,
  visitorKeys: SourceFile['visitorKeys'],
): Modules {
  const parser = scriptParserOf(languageOptions);
  const key = parser ?? noParser;
  const program =
    programsByParser.get(key) ?? createModules(createFileParser(parser, visitorKeys, cwd));
  programsByParser.set(key, program);
  return program;
}

/** The findings, with their paths, of a source that a rule of this plugin has just been run on; empty for any other. */
export function findingsOf(sourceCode: SourceCode): readonly Finding[] {
  return analysesBySource.get(sourceCode)?.findings() ?? [];
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
