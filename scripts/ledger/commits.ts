import { join } from 'node:path';
import { sourceFilesIn } from '../../test/corpus/runner/all-files.ts';
import { layOut } from '../../test/corpus/runner/checkout.ts';
import type { Origins } from '../../test/corpus/runner/git-directory.ts';
import { labelFiles } from '../../test/corpus/runner/label-sets.ts';
import { readFixPairs, readSites } from '../../test/corpus/runner/labels.ts';
import { tasksOf } from '../../test/corpus/runner/run.ts';
import type { Sample } from './sample.ts';

/** Files of one commit that share what is remembered of the others; the threads take turns at them. */
const filesAtOnce = 200;

/** The labelled commits of public code: every source file of each, and of bug fixes the file that was fixed. */
export async function commitSamples(
  corpus: string,
  origins: Origins,
  signal: AbortSignal,
): Promise<readonly Sample[]> {
  const sites = labelFiles.flatMap((name) => readSites(join(corpus, `${name}.tsv`)).sites);
  const pairs = readFixPairs(join(corpus, 'fix_pairs.tsv'));
  const samples: Sample[] = [];
  for (const { repo, commit, files, wantsAll } of tasksOf({ sites, pairs, wantsAll: true })) {
    const checkout = await layOut(repo, commit, origins, signal);
    if (checkout.kind === 'missing') continue;
    const lint = wantsAll ? await sourceFilesIn(checkout.folder) : [...files];
    for (let at = 0; at < lint.length; at += filesAtOnce)
      samples.push({
        name: `${repo}@${commit.slice(0, 10)} from ${at + 1}`,
        commit: `${repo}@${commit}`,
        lint: lint.slice(at, at + filesAtOnce),
      });
  }
  return samples;
}

/** Those of the samples whose files can be had. */
export async function withCheckouts(
  samples: readonly Sample[],
  origins: Origins,
  signal: AbortSignal,
): Promise<readonly Sample[]> {
  const missing = new Set<string>();
  for (const name of new Set(samples.flatMap(({ commit }) => commit ?? []))) {
    const [repo = '', commit = ''] = name.split('@');
    const { kind } = await layOut(repo, commit, origins, signal);
    if (kind === 'missing') missing.add(name);
  }
  return samples.filter(({ commit }) => commit === undefined || !missing.has(commit));
}
