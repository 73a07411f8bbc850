import { settings, type Setting } from '../../src/settings/settings.ts';
import { markdownTable } from './markdown-table.ts';

const rows: readonly (readonly [key: string, setting: Setting<unknown>])[] =
  Object.entries(settings);

/** The table of docs/settings.md: all that is said of a setting, each value of a choice, and who may set it. */
export function settingPage(): string {
  return markdownTable(
    ['setting', 'what it does', 'default', 'where'],
    rows.map(([key, { description, schema, default: value, scope }]) => [
      name(key),
      [description, ...valuesOf(schema)].join('<br>'),
      literal(value),
      places[scope],
    ]),
  );
}

const places: Readonly<Record<Setting<unknown>['scope'], string>> = {
  resource: 'user, workspace, folder',
  machine: 'user only',
  window: 'user, workspace',
};

/** What each value of a choice does, a line each. */
function valuesOf({
  enum: values,
  markdownEnumDescriptions: descriptions,
}: Setting<unknown>['schema']): readonly string[] {
  if (!Array.isArray(values) || !Array.isArray(descriptions)) return [];
  return values.map((value, index) => `\`${String(value)}\`: ${String(descriptions[index])}`);
}

function name(key: string): string {
  return `\`poolguard.${key}\``;
}

function literal(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
