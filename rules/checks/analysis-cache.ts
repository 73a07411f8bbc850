import type { SourceCode } from 'eslint';
import type { Analysis } from './analysis.ts';

// A cache, keyed by the source: an analysis lives as long as its source.
const analysesBySource = new WeakMap<SourceCode, () => Analysis>();

/** The analysis of a source, which is made when somebody first asks for it. */
export function rememberAnalysis(sourceCode: SourceCode, make: () => Analysis): () => Analysis {
  let analysis: Analysis | undefined;
  const analysisOnce = (): Analysis => (analysis ??= make());
  analysesBySource.set(sourceCode, analysisOnce);
  return analysisOnce;
}

/** What was followed in a source that a rule of this plugin has just been run on. */
export function analysisOf(sourceCode: SourceCode): Analysis | undefined {
  return analysesBySource.get(sourceCode)?.();
}
