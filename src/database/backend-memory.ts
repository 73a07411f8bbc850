import * as v from 'valibot';
import { readProc, readProcess } from '../machine/proc.ts';
import { number } from '../schema/fields.ts';
import type { Asker } from './session.ts';
import { memoryContextsSql, ownBackendSql } from './sql/backend-memory.sql.ts';

/** Memory of the backend that answers. */
export interface MemoryReading {
  readonly bytes: number;
  readonly method: string;
  /** `work_mem` */
  readonly workMemBytes: number | null;
}

const OwnRow = v.object({ pid: number, workMemBytes: number, tellsContexts: v.boolean() });
const Contexts = v.object({ bytes: v.nullable(number) });

/**
 * What one backend takes for itself alone: by its own account, else by what the kernel of this machine says of it.
 * Null where neither can be read. Never the resident size, which counts shared buffers again for each backend.
 */
export async function readBackendMemory(
  session: Asker,
  isServerLocal: boolean,
): Promise<MemoryReading | null> {
  const own = await session.query(ownBackendSql, OwnRow);
  const { pid, workMemBytes, tellsContexts } = (own.kind === 'rows' ? own.rows[0] : undefined) ?? {
    pid: null,
    workMemBytes: null,
    tellsContexts: false,
  };
  const bytes = tellsContexts ? await readContexts(session) : null;
  if (bytes !== null)
    return {
      bytes,
      method: 'memory contexts, without shared_buffers (pg_backend_memory_contexts)',
      workMemBytes,
    };
  const anonymous = isServerLocal && pid !== null ? readAnonymousBytes(pid) : null;
  return anonymous === null
    ? null
    : {
        bytes: anonymous,
        method: 'anonymous memory, without shared_buffers (Pss_Anon in /proc/PID/smaps_rollup)',
        workMemBytes,
      };
}

async function readContexts(session: Asker): Promise<number | null> {
  const contexts = await session.query(memoryContextsSql, Contexts);
  return contexts.kind === 'rows' ? (contexts.rows[0]?.bytes ?? null) : null;
}

/**
 * Of Linux, for root and the server's own user; null elsewhere, and for a process that is none of PostgreSQL, as behind a forwarded
 * port. What the kernel calls private has pages of shared_buffers in it that no other process has touched yet, so only anonymous memory
 * counts, and what is still shared with the server's first process in proportion (since Linux 5.4).
 */
function readAnonymousBytes(pid: number): number | null {
  // The server said it, and may have said text that leads elsewhere.
  if (!Number.isInteger(pid)) return null;
  if (readProcess(pid)?.name !== 'postgres') return null;
  const kilobytes = /^Pss_Anon:\s+(\d+) kB$/m.exec(readProc(`${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) * 1024 || null;
}
