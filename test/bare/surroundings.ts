import { readFileSync } from 'node:fs';
import { pickUser, type ServerUser } from '../../scripts/server-user.mjs';

/** Where somebody clones the repository, and as whom. */
export interface Surroundings {
  readonly name: string;
  /** A user other than root, who has no rights and no home. */
  readonly user?: ServerUser;
  /** The folder in which a new one is made for the clone. */
  readonly below: string;
  /** What the clone is called in there. */
  readonly clone: string;
  readonly umask: '022' | '077';
  /** `own` is a folder beside the clone, `locked` one that takes no files; without it the variable is not set. */
  readonly home?: 'own' | 'locked';
  /** A temporary folder beside the clone, as closed as that. */
  readonly ownTemporary?: true;
  /** Programs that are not in the PATH, by how they begin. */
  readonly without?: string;
  /** Takes no PgBouncer and no Chromium of the system. */
  readonly ownTools?: true;
  /** Nothing is installed in the clone. */
  readonly withoutPackages?: true;
  /** What the tests say when they cannot be given all that they need. */
  readonly lacks?: RegExp;
}

const strangePath = 'a clöne here';

const ofRoot: readonly Surroundings[] = [
  {
    name: 'root, below a closed home',
    below: '/root',
    clone: 'poolguard',
    umask: '022',
    home: 'own',
  },
  {
    name: 'root, in a folder of mktemp, all closed, HOME unset',
    below: '/tmp',
    clone: strangePath,
    umask: '077',
    ownTemporary: true,
  },
];

/** With nothing said, whoever runs the tests. */
function ofAUser(user?: ServerUser): readonly Surroundings[] {
  return [
    {
      name: 'a user who may nothing, in a home that takes no files, with programs of the repository',
      below: '/tmp',
      clone: 'poolguard',
      umask: '022',
      home: 'locked',
      ownTemporary: true,
      ownTools: true,
      ...(user && { user }),
    },
    {
      name: 'a user who may nothing, without apt, HOME unset',
      below: '/tmp',
      clone: strangePath,
      umask: '077',
      without: 'apt',
      ownTools: true,
      lacks:
        /pgbouncer: .*no apt-get[^]*(?:What brings it|Install it by hand)[^]*1 failed \| 1 passed/,
      ...(user && { user }),
    },
  ];
}

/** Those that this process can make: only root becomes another user. */
export function findSurroundings(): readonly Surroundings[] {
  if (process.getuid?.() !== 0) return ofAUser();
  const user = pickUser(readFileSync('/etc/passwd', 'utf8'));
  if (user === undefined) throw new Error('/etc/passwd names no user without rights.');
  return [...ofRoot, ...ofAUser(user)];
}

/** A fresh clone, closed to others, in a folder with room for a project beside it. */
export const freshClone: Surroundings = {
  name: 'a fresh clone',
  below: '/tmp',
  clone: 'poolguard',
  umask: '077',
  home: 'own',
  ownTemporary: true,
  withoutPackages: true,
};
