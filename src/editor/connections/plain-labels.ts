import { toPlainText, toShortText } from '../../activity/plain-text.ts';

/** Text of a file or a database for a row of a pick, where `$(name)` would be drawn as an icon. */
export function plainLabel(text: string): string {
  return toShortText(text, 200).replaceAll('$(', '\\$(');
}

/** The same for a notification, where `[text](address)` would be a link, also one that runs a command. */
export function plainMessage(text: string): string {
  return toPlainText(text).replaceAll('](', '] (').replaceAll('$(', '$ (');
}
