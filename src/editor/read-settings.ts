import { workspace, type ConfigurationChangeEvent, type ConfigurationScope } from 'vscode';
import { readValue, settings, type SettingKey, type Settings } from '../settings/settings.ts';

/** What the user set, for a file or folder where the setting may differ between them. */
export function readSetting<Key extends SettingKey>(
  key: Key,
  scope?: ConfigurationScope,
): Settings[Key] {
  return readValue<unknown>(
    settings[key],
    workspace.getConfiguration('poolguard', scope).get(key),
  ) as Settings[Key];
}

/** Bundles that are loaded later are given it, so that they need not hold the list of settings. */
export type ReadSetting = typeof readSetting;

export function isAbout(change: ConfigurationChangeEvent, key: SettingKey): boolean {
  return change.affectsConfiguration(`poolguard.${key}`);
}
