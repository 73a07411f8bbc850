import type { Rules } from '../../src/cli/lint/lint.ts';
import { createFileCheck } from '../../src/lint/check-file.ts';
import type { Severities } from '../../src/lint/known-rules.ts';
import { factsOf, presetOf, ruleIdsOf, type Plugin } from '../../src/lint/plugin.ts';

/** A plugin as `poolguard lint` is given one. */
export function rulesOf(plugin: Plugin): Rules {
  const names = Object.keys(plugin.plugin.configs ?? {});
  return {
    known: {
      presets: Object.fromEntries(names.map((name) => [name, severitiesOf(plugin, name)])),
      rules: ruleIdsOf(plugin).map((id) => ({ id, ...factsOf(plugin, id) })),
    },
    loadCheck: (settings) => Promise.resolve(createFileCheck(plugin, settings)),
  };
}

function severitiesOf(plugin: Plugin, preset: string): Severities {
  const rules = presetOf(plugin, preset).map((each) => each.rules);
  return Object.assign({}, ...rules) as Severities;
}
