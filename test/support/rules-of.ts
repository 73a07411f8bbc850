import type { Rules } from '../../src/cli/lint/lint.ts';
import { createFileCheck } from '../../src/lint/check-file.ts';
import { factsOf, ruleIdsOf, type Plugin } from '../../src/lint/plugin.ts';

/** A plugin as `poolguard lint` is given one. */
export function rulesOf(plugin: Plugin): Rules {
  return {
    known: {
      presets: Object.keys(plugin.plugin.configs ?? {}),
      rules: ruleIdsOf(plugin).map((id) => ({ id, ...factsOf(plugin, id) })),
    },
    loadCheck: (settings) => Promise.resolve(createFileCheck(plugin, settings)),
  };
}
