import { workspace, type ConfigurationChangeEvent, type ConfigurationScope } from 'vscode';
import { settings, type SettingKey, type Settings } from '../settings/settings.ts';

/** What the user set, for a file or folder where the setting may differ between them. */
export function readSetting<Key extends SettingKey>(
  key: Key,
  scope?: ConfigurationScope,
): Settings[Key] {
  return (
    settings[key].read(workspace.getConfiguration('poolguard', scope).get(key)) ??
    settings[key].default
  );
}

export function isAbout(change: ConfigurationChangeEvent, key: SettingKey): boolean {
  return change.affectsConfiguration(`poolguard.${key}`);
}
