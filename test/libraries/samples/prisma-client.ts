import {
  getPrismaClient,
  type GetPrismaClientConfig,
  type Operation,
  type PrismaClientOptions,
} from '@prisma/client/runtime/client';
import { createRequire } from 'node:module';

type Compiler = NonNullable<GetPrismaClientConfig['compilerWasm']>;

const require = createRequire(import.meta.url);
const compiler = '@prisma/client/runtime/query_compiler_small_bg.postgresql';
// The types of Node have it for types only.
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile: (code: Uint8Array) => Promise<unknown> } }
).WebAssembly;

/** What `prisma generate` makes of this schema, shortened: the generator downloads an engine, the client needs none. */
const schema = `
generator client {
  provider = "prisma-client"
  output   = "."
}
datasource db {
  provider = "postgresql"
}
model Note {
  text String @id
  @@map("note")
}
`;

const config: GetPrismaClientConfig = {
  previewFeatures: [],
  clientVersion: '7.10.0',
  engineVersion: '',
  activeProvider: 'postgresql',
  inlineSchema: schema,
  runtimeDataModel: {
    models: {
      Note: { fields: [{ name: 'text', kind: 'scalar', type: 'String' }], dbName: 'note' },
    },
    enums: {},
    types: {},
  } as never,
  // Of no argument it is known that it may be a parameter.
  parameterizationSchema: { strings: [], graph: 'AAAAAAAA' },
  compilerWasm: {
    getRuntime: () =>
      Promise.resolve(require(`${compiler}.js`) as Awaited<ReturnType<Compiler['getRuntime']>>),
    getQueryCompilerWasmModule() {
      const { wasm } = require(`${compiler}.wasm-base64.js`) as { readonly wasm: string };
      return compile(Buffer.from(wasm, 'base64'));
    },
    importName: './query_compiler_small_bg.js',
  },
};

type Query = (args?: object) => Promise<unknown>;
type RawQuery = (text: string) => Promise<unknown>;
type RawTag = (texts: TemplateStringsArray, ...values: readonly unknown[]) => Promise<unknown>;

export interface TransactionClient {
  readonly note: Readonly<Record<Operation, Query>>;
  readonly $queryRaw: RawTag;
  readonly $executeRaw: RawTag;
  readonly $queryRawUnsafe: RawQuery;
  readonly $executeRawUnsafe: RawQuery;
  $transaction<T>(work: (tx: TransactionClient) => Promise<T>): Promise<T>;
}

export interface PrismaClient extends TransactionClient {
  $extends(extension: object): PrismaClient;
  $disconnect(): Promise<void>;
}

export const PrismaClient = getPrismaClient(config) as unknown as new (
  options: Pick<PrismaClientOptions, 'adapter' | 'transactionOptions'>,
) => PrismaClient;
