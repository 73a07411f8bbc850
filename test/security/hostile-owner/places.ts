/** Who looks and probes. */
export const roles = ['boss', 'analyst', 'mallory'] as const;
export type Role = (typeof roles)[number];

/** What each is, for the closing table and the names of tests. */
export const roleWords: Readonly<Record<Role, string>> = {
  boss: 'superuser',
  analyst: 'ordinary role',
  mallory: 'owner',
};

/** How the database is reached: PostgreSQL itself, or PgBouncer in one of its modes. */
export const paths = ['direct', 'session', 'transaction', 'statement'] as const;
export type Path = (typeof paths)[number];

export interface Place {
  readonly role: Role;
  readonly path: Path;
}

export const everyPlace: readonly Place[] = paths.flatMap((path) =>
  roles.map((role) => ({ role, path })),
);
