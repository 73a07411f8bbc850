import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChaosServer, type ChaosServer } from './support/chaos-server.ts';
import { cross } from './support/choose.ts';
import { lineFaults } from './support/line-faults.ts';
import { subjects } from './support/subjects.ts';
import { tryOut } from './support/trial.ts';

let server: ChaosServer;

beforeAll(async () => {
  server = await startChaosServer(200);
});

afterAll(() => server[Symbol.asyncDispose]());

describe.concurrent('trouble on the line leaves nothing behind, and nobody in the dark', () => {
  test.each(cross(lineFaults, Object.values(subjects), 2))(
    '$name',
    async ({ fault, subject, random }) => {
      expect(await tryOut(fault, subject, server, random)).toEqual([]);
    },
  );
});
