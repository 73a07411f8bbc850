import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type pg from 'pg';
import { expect } from 'vitest';

/** One entry of a server's log. */
export interface LogEntry {
  readonly application: string;
  readonly role: string;
  readonly level: string;
  readonly text: string;
}

export interface ServerLog {
  /** What was written since the last call, to the last word of whatever has been answered by now. */
  readonly read: () => Promise<readonly LogEntry[]>;
}

const boundary = '@@@';
/** Setting `log_line_prefix` that `readEntries` reads. */
export const logLinePrefix = `${boundary}%a|%u${boundary} `;

/** `mark` writes into the log from a session of its own: what stands before the mark is complete. */
export function createServerLog(path: string, mark: pg.Client): ServerLog {
  let from = 0;
  return {
    read: async () => {
      const id = randomUUID();
      await mark.query(`DO $$ BEGIN RAISE LOG 'mark ${id}'; END $$`);
      let text = '';
      // The file is written by another process, which tells nobody.
      await expect
        .poll(async () => (text = await readFrom(path, from)), { interval: 20 })
        .toMatch(`LOG:  mark ${id}\n`);
      from += Buffer.byteLength(text);
      return readEntries(text);
    },
  };
}

/** The whole lines behind `from`, in bytes. */
async function readFrom(path: string, from: number): Promise<string> {
  const { size } = await stat(path);
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.subarray(0, buffer.lastIndexOf(10) + 1).toString();
  } finally {
    await file.close();
  }
}

const entry = new RegExp(`^${boundary}(.*)\\|([^|]*?)${boundary} ([A-Z0-9]+):  `);

function readEntries(text: string): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  for (const part of text.split(new RegExp(`^(?=${boundary})`, 'm'))) {
    const [head, application = '', role = '', level = ''] = entry.exec(part) ?? [];
    // Lines of an entry behind its first begin with a tab (elog.c, append_with_tabs).
    if (head !== undefined)
      entries.push({
        application,
        role,
        level,
        text: part.slice(head.length).replaceAll('\n\t', '\n').trimEnd(),
      });
  }
  return entries;
}
