import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChaosServer, type ChaosServer } from './support/chaos-server.ts';
import { cross } from './support/choose.ts';
import { poolerFaults, serverFaults } from './support/server-faults.ts';
import { subjects } from './support/subjects.ts';
import { tryOut } from './support/trial.ts';

let server: ChaosServer;

beforeAll(async () => {
  server = await startChaosServer(30);
});

afterAll(() => server[Symbol.asyncDispose]());

describe('trouble of the server leaves nothing behind, and nobody in the dark', () => {
  test.each(cross(serverFaults, Object.values(subjects), 2))(
    '$name',
    async ({ fault, subject, random }) => {
      expect(await tryOut(fault, subject, server, random)).toEqual([]);
    },
  );
});

describe('trouble of the pooler too', () => {
  test.each(
    cross(
      poolerFaults,
      Object.values(subjects).filter(({ way }) => way === 'pooler'),
      2,
    ),
  )('$name', async ({ fault, subject, random }) => {
    expect(await tryOut(fault, subject, server, random)).toEqual([]);
  });
});
