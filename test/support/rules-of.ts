import type { PresetName } from '../../rules/rule-text.ts';
import { presetNames } from '../../rules/rule-text.ts';
import type { Rules } from '../../src/cli/lint/lint.ts';
import { factsOf, prefix, ruleIdsOf, type Analyser } from '../../src/lint/analyser.ts';
import { createFileCheck } from '../../src/lint/check-file.ts';
import type { Severities } from '../../src/lint/known-rules.ts';

/** An analyser as `poolguard lint` is given one. */
export function rulesOf(analyser: Analyser): Rules {
  return {
    known: {
      presets: Object.fromEntries(presetNames.map((name) => [name, severitiesOf(analyser, name)])),
      rules: ruleIdsOf(analyser).map((id) => ({ id, ...factsOf(analyser, id) })),
    },
    loadCheck: (settings) => Promise.resolve(createFileCheck(analyser, settings)),
  };
}

function severitiesOf({ rules }: Analyser, preset: PresetName): Severities {
  return Object.fromEntries(
    rules.flatMap(({ id, meta: { docs } }) => {
      const severity = docs.severities[preset];
      return severity === undefined ? [] : [[`${prefix}${id}`, severity]];
    }),
  );
}
