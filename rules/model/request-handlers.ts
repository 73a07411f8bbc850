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

/** A function that is exported under this name with this first parameter is called by AWS Lambda, once a request. */
export const lambdaExport = 'handler';
export const lambdaParameter = /^_?event$/u;

export const requestNames = /^_?(?:req|request)$/iu;
export const responseNames = /^_?(?:res|resp|response|reply)$/iu;

/** Programs that must open what they need for each request: connections there may not be shared between requests. */
export const requestBound =
  /\bruntime\s*=\s*['"`](?:edge|experimental-edge)['"`]|\bhyperdrive\b|\bcloudflare\b/i;
