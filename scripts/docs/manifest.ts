import { settings, type Setting } from '../../src/settings/settings.ts';
import type { RuleFacts } from './rule-facts.ts';

/** package.json with the settings as src/settings/ has them. */
export function fillManifest(text: string, rules: readonly RuleFacts[]): string {
  const manifest = JSON.parse(text) as { contributes: { configuration: { properties: object } } };
  manifest.contributes.configuration.properties = Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [
      `poolguard.${key}`,
      propertyOf(key, setting as Setting<unknown>, rules),
    ]),
  );
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function propertyOf(
  key: string,
  { schema, default: value, scope, description }: Setting<unknown>,
  rules: readonly RuleFacts[],
): object {
  return {
    ...schema,
    ...(key === 'lint.rules' ? ruleSchema(schema, rules) : {}),
    default: value,
    scope,
    markdownDescription: description,
  };
}

/** The settings editor completes the rules, and says of each what it reports. */
function ruleSchema(
  { additionalProperties }: Setting<unknown>['schema'],
  rules: readonly RuleFacts[],
): object {
  const severity = additionalProperties as object;
  return {
    properties: Object.fromEntries(
      rules.map(({ id, description }) => [id, { ...severity, description }]),
    ),
    patternProperties: { '^poolguard/': severity },
    additionalProperties: false,
  };
}
