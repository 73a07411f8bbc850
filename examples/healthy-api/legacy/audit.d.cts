export interface AuditRow {
  readonly action: string;
  readonly created_at: Date;
}

export function readAudit(userId: string): Promise<readonly AuditRow[]>;
