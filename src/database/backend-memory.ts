import { readFileSync } from 'node:fs';
import type { Asker } from './probe-server.ts';

/** Memory of the backend that answers. */
export interface MemoryReading {
  readonly bytes: number;
  readonly method: string;
  /** `work_mem` */
  readonly workMemBytes: number | null;
}

interface OwnRow {
  readonly pid: number;
  readonly workMemBytes: number;
  readonly tellsContexts: boolean;
}

/**
 * Whether the view is there and may be read is asked first, for a refused statement would stand as an error in the log of the server. The
 * function below the view has a right of its own (PostgreSQL, system_views.sql).
 */
const ownSql = `
  SELECT pg_catalog.pg_backend_pid() AS "pid",
         pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem'))::float8 AS "workMemBytes",
         coalesce(pg_catalog.has_table_privilege(pg_catalog.to_regclass('pg_catalog.pg_backend_memory_contexts'), 'SELECT')
              AND pg_catalog.has_function_privilege(pg_catalog.to_regprocedure('pg_catalog.pg_get_backend_memory_contexts()'), 'EXECUTE'), false) AS "tellsContexts"`;
/** PostgreSQL 14 and newer; for superusers, since 15 for members of pg_read_all_stats too. */
const contextsSql =
  'SELECT pg_catalog.sum(total_bytes)::float8 AS "bytes" FROM pg_catalog.pg_backend_memory_contexts';

/**
 * What one backend takes for itself alone: by its own account, else by what the kernel of this machine says of it.
 * Null where neither can be read. Never the resident size, which counts shared buffers again for each backend.
 */
export async function readBackendMemory(
  session: Asker,
  isServerLocal: boolean,
): Promise<MemoryReading | null> {
  const own = await session.query<OwnRow>(ownSql);
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
  const contexts = await session.query<{ bytes: number | null }>(contextsSql);
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
