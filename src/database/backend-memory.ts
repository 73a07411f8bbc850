import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { number } from '../schema/fields.ts';
import type { Asker } from './probe-server.ts';
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
    return { bytes, method: 'memory contexts (pg_backend_memory_contexts)', workMemBytes };
  const unshared = isServerLocal && pid !== null ? readPrivateBytes(pid) : null;
  return unshared === null
    ? null
    : { bytes: unshared, method: 'private memory (/proc/PID/smaps_rollup)', workMemBytes };
}

async function readContexts(session: Asker): Promise<number | null> {
  const contexts = await session.query(memoryContextsSql, Contexts);
  return contexts.kind === 'rows' ? (contexts.rows[0]?.bytes ?? null) : null;
}

/** Of Linux, for root and the server's own user; null elsewhere, and for a process that is none of PostgreSQL, as behind a forwarded port. */
function readPrivateBytes(pid: number): number | null {
  // The server said it, and may have said text that leads elsewhere.
  if (!Number.isInteger(pid)) return null;
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'latin1').trim() !== 'postgres') return null;
    const lines = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1').matchAll(
      /^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm,
    );
    const kilobytes = [...lines].reduce((sum, [, digits]) => sum + Number(digits), 0);
    return kilobytes === 0 ? null : kilobytes * 1024;
  } catch {
    return null;
  }
}
