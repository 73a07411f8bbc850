/** Methods by which routers and servers get a handler for a path. Fact: Express 5, Fastify 5, Hono 4, `@koa/router` 13. */
export const routeMethods: ReadonlySet<string> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'del',
  'all',
  'head',
  'options',
  'use',
]);

/** How a server takes functions that it calls for each request, without a path. Fact: Express 5 `app.use`, Koa 3 `app.use`. */
export const middlewareMethod = 'use';

/** The method that takes a function for a stage of each request, and the stages. Fact: Fastify 5, "Hooks". */
export const requestHooks = {
  method: 'addHook',
  stages: new Set([
    'onRequest',
    'preParsing',
    'preValidation',
    'preHandler',
    'preSerialization',
    'onSend',
    'onResponse',
  ]),
};

/** Members of requests, responses and contexts that last as long as those. Fact: Express 5 `res.locals`, Koa 3 `ctx.state`. */
export const requestCollections: ReadonlySet<string> = new Set(['locals', 'state']);

/** Decorators of controllers' methods. Fact: `@nestjs/common`, `routing-controllers`, `tsoa`. */
export const routeDecorators: ReadonlySet<string> = new Set([
  'Get',
  'Post',
  'Put',
  'Patch',
  'Delete',
  'All',
  'Head',
  'Options',
]);

/** What a file exports that a framework calls for each request, by the name of the file. Fact: Next.js 15 `route.ts`, SvelteKit 2 `+server.ts`. */
export const routeFiles = /(?:^|[\\/])(?:route|\+server)\.[cm]?[jt]sx?$/u;
export const routeExports: ReadonlySet<string> = new Set([
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
]);

/** Methods that read the body of a request, which comes as fast as its sender sends it. Fact: Fetch standard, "Body mixin". */
export const bodyReaders: ReadonlySet<string> = new Set([
  'arrayBuffer',
  'blob',
  'bytes',
  'formData',
  'json',
  'text',
]);

/** Types of such requests, by the module that they are imported from; global without one. Fact: Fetch standard, Next.js 15 `next/server`. */
export const requestTypes: readonly RequestType[] = [
  ['Request', null],
  ['NextRequest', 'next/server'],
];

/** A name, and the module that it is imported from. */
export type RequestType = readonly [name: string, module: string | null];

/** Types of requests whose body is read as a stream. Fact: Node 24 `http.IncomingMessage`, Express 5 `req`. */
export const streamedTypes: readonly RequestType[] = [
  ['IncomingMessage', 'http'],
  ['IncomingMessage', 'node:http'],
  ['Request', 'express'],
];

/** Types of contexts whose `req` is such a request. Fact: Hono 4 `context.ts`. */
export const contextTypes: readonly RequestType[] = [['Context', 'hono']];

/** Functions that read a stream to its end. Fact: Node 24 `stream/consumers`. */
export const streamReaders = { module: 'stream/consumers', names: bodyReaders };

/** What makes a server that calls its argument for each request. Fact: Node 24 `http.createServer`. */
export const serverMakers = { modules: new Set(['http', 'https']), name: 'createServer' };

/** A function that is exported under this name is called by AWS Lambda, once a request. */
export const lambdaExport = 'handler';

/** What a module exports beside its `handler` when that is a command of yargs (17, `lib/command.ts`), called once a run. */
export const commandExports: ReadonlySet<string> = new Set(['command', 'builder']);

/** Methods by which an HTTP response alone is given something. Fact: Express 5 `lib/response.js`, Fastify 5 `lib/reply.js`, Node `http.ServerResponse`. */
export const responseMethods: ReadonlySet<string> = new Set([
  'json',
  'status',
  'sendStatus',
  'redirect',
  'code',
  'writeHead',
]);

/** Modules that only programs import in which connections may not be shared between requests. */
export const requestBoundModules = /^(?:cloudflare:|@cloudflare\/)/u;

/** What `export const runtime` says in such a program. Fact: Next.js 15, route segment config. */
export const requestBoundRuntimes: ReadonlySet<string> = new Set(['edge', 'experimental-edge']);
