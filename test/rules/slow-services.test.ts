import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

const rule = 'no-external-await-while-holding';

/** Carets under the slow part of a statement, which is all of it unless told otherwise. */
function under(statement: string, slow = statement.slice(0, -1)): string {
  return ' '.repeat(statement.indexOf(slow)) + '^'.repeat(slow.length);
}

/** A client is held across a statement, after the lines that import and make what it calls. */
function across(
  name: string,
  lines: string,
  statement: string,
  mark: string,
  slow?: string,
): Sample {
  const marks = mark === '' ? '' : `\n  //${under(statement, slow)} ${mark}`;
  return {
    name,
    code: `${lines}\nasync function f(x) {\n  const c = await pool.connect();\n  try {\n    ${statement}${marks}\n  } finally { c.release(); }\n}`,
  };
}

/** The same in a method of a class whose services are injected. */
function injected(
  name: string,
  imports: string,
  fields: string,
  statement: string,
  slow?: string,
): Sample {
  const marks = `//${under(statement, slow)} held`;
  return {
    name,
    code: `${imports}\nclass Orders {\n  constructor(${fields}) {}\n  async place(x) {\n    const c = await pool.connect();\n    try {\n      ${statement}\n    ${marks}\n    } finally { c.release(); }\n  }\n}`,
  };
}

describe('knows services by their package', () => {
  checkRule(rule, [
    injected(
      "Nest's HTTP client as an observable",
      "import { HttpService } from '@nestjs/axios';\nimport { firstValueFrom, map } from 'rxjs';",
      'private readonly http: HttpService',
      'await firstValueFrom(this.http.get(x).pipe(map((each) => each.data)));',
      'this.http.get(x).pipe(map((each) => each.data))',
    ),
    injected(
      "Nest's HTTP client as a promise",
      "import { HttpService } from '@nestjs/axios';",
      'private readonly http: HttpService',
      'await this.http.axiosRef.post(x, {});',
    ),
    {
      ...injected(
        "Nest's HTTP client behind a service of another file",
        "import { firstValueFrom } from 'rxjs';\nimport { Api } from './api';",
        'private readonly api: Api',
        'await firstValueFrom(this.api.find(x));',
        'this.api.find(x)',
      ),
      files: {
        'api.ts':
          "import { HttpService } from '@nestjs/axios';\nexport class Api {\n  constructor(private readonly http: HttpService) {}\n  find(id: string) { return this.http.get(id); }\n}",
      },
    },
    injected(
      'a queue that is injected',
      "import { InjectQueue } from '@nestjs/bullmq';\nimport { Queue } from 'bullmq';",
      "@InjectQueue('mail') private readonly mail: Queue",
      "await this.mail.add('welcome', { x });",
    ),
    injected(
      "Nest's mailer",
      "import { MailerService } from '@nestjs-modules/mailer';",
      'private readonly mailer: MailerService',
      'await this.mailer.sendMail({ to: x });',
    ),
    injected(
      'a message to another service',
      "import { ClientProxy } from '@nestjs/microservices';\nimport { lastValueFrom } from 'rxjs';",
      "@Inject('BILLING') private readonly billing: ClientProxy",
      "await lastValueFrom(this.billing.send('charge', x));",
      "this.billing.send('charge', x)",
    ),
    across(
      'a sender of Azure Service Bus',
      "import { ServiceBusClient } from '@azure/service-bus';\nconst sender = new ServiceBusClient('…').createSender('orders');",
      'await sender.sendMessages({ body: x });',
      'held',
    ),
    across(
      'a client of gRPC that calls back',
      "import * as grpc from '@grpc/grpc-js';\nconst proto = grpc.loadPackageDefinition({});\nconst users = new proto.users.Users('host', grpc.credentials.createInsecure());",
      'await new Promise((resolve) => users.get({ id: x }, resolve));',
      'held',
      'users.get({ id: x }, resolve)',
    ),
    across(
      'a client of SpiceDB',
      "import { v1 } from '@authzed/authzed-node';\nconst spice = v1.NewClient('token', 'host');",
      'await spice.promises.checkPermission(x);',
      'held',
    ),
    across(
      'a producer of Kafka',
      "import { Kafka } from 'kafkajs';\nconst producer = new Kafka({}).producer();",
      'await producer.send({ topic: x, messages: [] });',
      'held',
    ),
    across(
      'an observable timer',
      "import { firstValueFrom, timer } from 'rxjs';",
      'await firstValueFrom(timer(100));',
      'held',
      'timer(100)',
    ),
  ]);
});

describe('knows what of these services answers at once', () => {
  checkRule(rule, [
    across(
      'a subject of the program',
      "import { firstValueFrom, Subject } from 'rxjs';\nconst subject = new Subject();",
      'await firstValueFrom(subject);',
      '',
    ),
    across(
      'a function of unknown origin that is named like one of rxjs',
      "import axios from 'axios';\nimport { firstValueFrom } from './mine';",
      'await firstValueFrom(axios.get(x));',
      '',
    ),
    across(
      'a channel of RabbitMQ that writes into its buffer',
      "import amqp from 'amqplib';\nconst connection = await amqp.connect('…');\nconst channel = await connection.createChannel();",
      "await channel.sendToQueue('orders', x);",
      '',
    ),
    across(
      'what a client of Azure only makes',
      "import { BlobServiceClient } from '@azure/storage-blob';\nconst blobs = BlobServiceClient.fromConnectionString('…');",
      'await blobs.getContainerClient(x);',
      '',
    ),
    across(
      'metadata of gRPC',
      "import * as grpc from '@grpc/grpc-js';\nconst metadata = new grpc.Metadata();",
      "await new Promise((resolve) => { metadata.set('id', x); resolve(undefined); });",
      '',
    ),
    across(
      'a request of SpiceDB that is only written',
      "import { v1 } from '@authzed/authzed-node';",
      'await v1.CheckPermissionRequest.create(x);',
      '',
    ),
    across(
      "decorators and transports of Nest's microservices",
      "import { Transport } from '@nestjs/microservices';",
      'await Transport.send(x);',
      '',
    ),
  ]);
});
