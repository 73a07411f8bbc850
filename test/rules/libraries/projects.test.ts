import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const prismaService = `
import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@prisma/client';
@Injectable()
export class PrismaService extends PrismaClient {}
`;

const drizzleParameter = `
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
export const create = (db: NodePgDatabase, name) =>
  db.transaction(async (tx) => {
`;

describe('a transaction of a handle that is a parameter, in which a connection is held all the same', () => {
  checkRule('no-external-await-while-holding', [
    {
      name: 'a request',
      header: '',
      code: `${drizzleParameter}
    await fetch(url);
  //^^^^^^^^^^^^^^^^ inTransaction
  });`,
    },
  ]);
  checkRule('no-concurrent-client-query', [
    {
      name: 'several at once',
      header: '',
      code: `${drizzleParameter}
    await Promise.all(name.map((each) => tx.insert(users).values({ each })));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overHandle
  });`,
    },
  ]);
  checkRule('no-nested-checkout', [
    {
      name: 'a transaction in it',
      header: '',
      code: `${drizzleParameter}
    await db.transaction(async (inner) => {
      await inner.insert(users).values({ name });
    });
  });`,
    },
  ]);
});

describe('no-nested-checkout', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'an injected service that is the client',
      header: '',
      files: { 'prisma.service.ts': prismaService },
      code: `
import { PrismaService } from './prisma.service';
export class Users {
  constructor(private readonly prisma: PrismaService) {}
  async create(data) {
    return this.prisma.$transaction(async (tx) => {
      await tx.user.create({ data });
      await this.prisma.log.create({ data });
      //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    });
  }
}`,
    },
    {
      name: 'an injected service of which nothing is known',
      header: '',
      code: `
export class Users {
  constructor(prisma) {
    this.prisma = prisma;
  }
  async create(data) {
    return this.prisma.$transaction(async (tx) => {
      await this.prisma.log.create({ data });
      //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
    });
  }
}`,
    },
    {
      name: 'a method of the same service',
      header: '',
      files: { 'prisma.service.ts': prismaService },
      code: `
import { PrismaService } from './prisma.service';
export class Users {
  constructor(private readonly prisma: PrismaService) {}
  async create(data) {
    return this.prisma.$transaction(async (tx) => {
      await this.log(data);
      //    ^^^^^^^^^^^^^^ outsideInHelper
    });
  }
  private async log(data) {
    await this.prisma.log.create({ data });
  }
}`,
    },
    {
      name: 'a service of another file',
      header: '',
      files: {
        'prisma.service.ts': prismaService,
        'audit.service.ts': `
import { PrismaService } from './prisma.service';
export class AuditService {
  constructor(private readonly prisma: PrismaService) {}
  async write(data) {
    await this.prisma.log.create({ data });
  }
}`,
      },
      code: `
import { PrismaService } from './prisma.service';
import { AuditService } from './audit.service';
export class Users {
  constructor(private readonly prisma: PrismaService, private readonly audit: AuditService) {}
  async create(data) {
    return this.prisma.$transaction(async (tx) => {
      await this.audit.write(data);
      //    ^^^^^^^^^^^^^^^^^^^^^^ outsideInHelper
    });
  }
}`,
    },
    {
      name: 'a handle of another file',
      header: '',
      files: {
        'db.ts':
          "import { drizzle } from 'drizzle-orm/node-postgres';\nimport { Pool } from 'pg';\nexport const db = drizzle(new Pool());\n",
        'log.ts':
          "import { db } from './db';\nexport async function log(name) {\n  await db.insert(logs).values({ name });\n}\n",
      },
      code: `
import { db } from './db';
import { log } from './log';
export const create = (name) =>
  db.transaction(async (tx) => {
    await log(name);
    //    ^^^^^^^^^ outsideInHelper
    await Promise.all(name.map((each) => db.insert(logs).values({ each })));
    //                                   ^^^^^^^^^^^^^^^ outside
  });`,
    },
    {
      name: 'a helper that takes the transaction or the handle',
      header: '',
      files: {
        'db.ts':
          "import { drizzle } from 'drizzle-orm/node-postgres';\nexport const db = drizzle(url);\n",
        'log.ts':
          "import { db } from './db';\nexport async function log(name, conn = db) {\n  await conn.insert(logs).values({ name });\n}\nexport async function note(name, tx) {\n  await (tx ?? db).insert(logs).values({ name });\n}\n",
      },
      code: `
import { db } from './db';
import { log, note } from './log';
export const create = (name) =>
  db.transaction(async (tx) => {
    await log(name, tx);
    await note(name, tx);
  });`,
    },
    {
      name: 'a parameter that may be a transaction itself',
      header: '',
      code: `
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
export const create = (db: NodePgDatabase, name) =>
  db.transaction(async (tx) => {
    await db.insert(logs).values({ name });
  });`,
    },
    {
      name: 'over a single client of pg',
      header: '',
      code: `
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
const client = new Client();
const db = drizzle(client);
export const create = (name) =>
  db.transaction(async (tx) => {
    await db.insert(logs).values({ name });
  });`,
    },
    {
      name: 'another database',
      header: '',
      code: `
import { drizzle } from 'drizzle-orm/node-postgres';
const db = drizzle(url);
const audit = drizzle(other);
export const create = (name) =>
  db.transaction(async (tx) => {
    await audit.insert(logs).values({ name });
  });`,
    },
    {
      name: 'the array of queries lends nothing',
      header: '',
      code: `
import { PrismaClient } from '@prisma/client';
const prisma = new PrismaClient();
export const create = (data) =>
  prisma.$transaction([prisma.user.create({ data }), prisma.log.create({ data })]);`,
    },
    {
      name: 'a transaction in a transaction of Sequelize 6',
      header: '',
      code: `
import { Sequelize } from 'sequelize';
const sequelize = new Sequelize(url);
export const create = (data) =>
  sequelize.transaction(async (transaction) => {
    await sequelize.transaction(async (t) => User.create(data, { transaction: t }));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
  });`,
    },
    {
      name: 'a transaction in a transaction of Sequelize 7, which is the same one',
      header: '',
      code: `
import { Sequelize } from '@sequelize/core';
const sequelize = new Sequelize(url);
export const create = (data) =>
  sequelize.transaction(async () => {
    await sequelize.transaction(async () => User.create(data));
  });`,
    },
    {
      name: 'a transaction in a transaction of MikroORM, which is a savepoint',
      header: '',
      code: `
import { EntityManager } from '@mikro-orm/postgresql';
export class Users {
  constructor(private readonly em: EntityManager) {}
  create = (data) =>
    this.em.transactional(async () => {
      await this.em.transactional(async (em) => em.persist(data));
    });
}`,
    },
  ]);
});
