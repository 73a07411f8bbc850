import { expect, test } from 'vitest';
import { enter, mayUse, pickUser, read } from '../../scripts/server-user.mjs';

const nobody = { name: 'nobody', uid: 65534, gid: 65533 };

test.each([
  [
    'Debian',
    'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/x\nnobody:x:65534:65533:nobody:/nonexistent:/x\n',
    nobody,
  ],
  [
    'macOS',
    '##\n# User Database\n##\nnobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false\n',
    { name: 'nobody', uid: -2, gid: -2 },
  ],
  [
    'a system without nobody',
    'root:x:0:0::/:/x\npostgres:x:70:71::/:/x\ndaemon:x:1:2::/:/x',
    { name: 'daemon', uid: 1, gid: 2 },
  ],
  ['one where nobody is root', 'nobody:x:0:0::/:/x\n', undefined],
  ['an empty file', '', undefined],
])('of %s', (_, passwd, user) => {
  expect(pickUser(passwd)).toEqual(user);
});

test.each([
  ['the folder of root, closed', { mode: 0o40700, uid: 0, gid: 0 }, enter, false],
  ['a folder that everybody may enter', { mode: 0o40711, uid: 0, gid: 0 }, enter, true],
  ['and not read', { mode: 0o40711, uid: 0, gid: 0 }, read | enter, false],
  ['a folder of its own', { mode: 0o40700, uid: 65534, gid: 0 }, read | enter, true],
  ['a folder of its group', { mode: 0o40750, uid: 0, gid: 65533 }, read | enter, true],
  [
    'what its group may not do counts before what everybody may',
    { mode: 0o40705, uid: 0, gid: 65533 },
    enter,
    false,
  ],
])('%s', (_, permissions, wanted, answer) => {
  expect(mayUse(permissions, nobody, wanted)).toBe(answer);
});
