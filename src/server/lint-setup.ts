import { setUpEslint } from '../lint/setup/eslint-setup.ts';
import { setUpOxlint } from '../lint/setup/oxlint-setup.ts';
import { SetupFacts, type SetupAnswer } from '../lint/setup/setup-answer.ts';
import { prefix, type Analyser } from '../lint/analyser.ts';
import type { Preset } from '../settings/settings.ts';
import { answer } from './answer.ts';
import { lintSetup } from './protocol.ts';
import type { Feature } from './session.ts';

/** Answers what to write into a configuration of ESLint or oxlint: the server has the parser for it, and reads no file for that. */
export const lintSetupFeature: Feature = {
  capabilities: () => ({}),
  register({ connection, analyser }) {
    answer(connection, lintSetup, SetupFacts, (facts) => setUp(facts, analyser));
  },
};

function setUp(facts: SetupFacts, analyser: Analyser): SetupAnswer {
  return facts.fileName.startsWith('.oxlintrc')
    ? setUpOxlint({ text: facts.text ?? '', severities: severitiesOf(analyser, facts.preset) })
    : setUpEslint(facts);
}

function severitiesOf({ rules }: Analyser, preset: Preset): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rules.flatMap(({ id, meta: { docs } }) => {
      const severity = docs.severities[preset];
      return severity === undefined ? [] : [[`${prefix}${id}`, severity]];
    }),
  );
}
