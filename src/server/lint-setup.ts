import { setUpEslint } from '../lint/setup/eslint-setup.ts';
import { setUpOxlint } from '../lint/setup/oxlint-setup.ts';
import { SetupFacts, type SetupAnswer } from '../lint/setup/setup-answer.ts';
import { presetOf, type Plugin } from '../lint/plugin.ts';
import type { Preset } from '../settings/settings.ts';
import { answer } from './answer.ts';
import { lintSetup } from './protocol.ts';
import type { Feature } from './session.ts';

/** Answers what to write into a configuration of ESLint or oxlint: the server has the parser for it, and reads no file for that. */
export const lintSetupFeature: Feature = {
  capabilities: () => ({}),
  register({ connection, plugin }) {
    answer(connection, lintSetup, SetupFacts, (facts) => setUp(facts, plugin));
  },
};

function setUp(facts: SetupFacts, plugin: Plugin): SetupAnswer {
  return facts.fileName.startsWith('.oxlintrc')
    ? setUpOxlint({ text: facts.text ?? '', severities: severitiesOf(plugin, facts.preset) })
    : setUpEslint(facts);
}

function severitiesOf(plugin: Plugin, preset: Preset): Readonly<Record<string, string>> {
  const rules = presetOf(plugin, preset).flatMap((config) => Object.entries(config.rules ?? {}));
  return Object.fromEntries(
    rules.flatMap(([rule, severity]) => (typeof severity === 'string' ? [[rule, severity]] : [])),
  );
}
