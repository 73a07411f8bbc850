import { toPlainText } from '../../activity/plain-text.ts';

/** A column as a statement names it. */
export interface ColumnName {
  /** Null where the search path decides. */
  readonly schema: string | null;
  readonly table: string;
  readonly column: string;
}

/** A parameter whose values come from the statistics of a column. */
export interface ColumnParameter {
  readonly column: ColumnName;
  /** The parameter takes several of them, as in `id = ANY($1)`. */
  readonly isList: boolean;
}

const name = String.raw`(?:"(?:[^"]|"")+"|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`;
const written = new RegExp(String.raw`^@((?:${name}\.){1,2}${name})(\[\])?$`, 'u');

/** Reads `@users.city` or `@"Shop".orders.id[]`, names as SQL reads them; null for anything else. */
export function readColumnParameter(text: string): ColumnParameter | null {
  const [, names = '', list] = written.exec(text) ?? [];
  const parts = [...names.matchAll(new RegExp(name, 'gu'))].map(([part]) => unquoted(part));
  const column = parts.at(-1);
  const table = parts.at(-2);
  return column === undefined || table === undefined
    ? null
    : { column: { schema: parts.at(-3) ?? null, table, column }, isList: list !== undefined };
}

/** The text that `readColumnParameter` reads; null for a name with characters that hide or steer text. */
export function writeColumnParameter({ column: name, isList }: ColumnParameter): string | null {
  const { schema, table, column } = name;
  const parts = [...(schema === null ? [] : [schema]), table, column];
  return parts.some((part) => toPlainText(part) !== part)
    ? null
    : `@${parts.map(quoted).join('.')}${isList ? '[]' : ''}`;
}

function unquoted(part: string): string {
  return part.startsWith('"')
    ? part.slice(1, -1).replaceAll('""', '"')
    : part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function quoted(part: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`;
}
