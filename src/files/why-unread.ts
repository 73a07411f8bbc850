import type { Unread } from '../../rules/project/ordinary-file.ts';
import { toPlainText } from '../activity/plain-text.ts';

/** Why a file was not read, as a sentence; `longest` in bytes. */
export function whyUnread(path: string, { code }: Unread, longest: number): string {
  const name = toPlainText(path);
  switch (code) {
    case 'ENOENT':
      return `There is no file ${name}.`;
    case 'EINVAL':
      return `${name} is not a regular file.`;
    case 'EFBIG':
      return `${name} is larger than ${Math.round(longest / 1_000_000)} MB.`;
    default:
      return `${name} cannot be read (${code}).`;
  }
}
