import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { readBounded } from '../../connections/read-bounded.ts';
import type { HttpRequest } from '../../sweep/load/load-tool.ts';
import { CouldNotRun } from '../exit-code.ts';

export interface HttpFlags {
  readonly url?: string;
  readonly method?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What undici and k6 both send. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const mostHeaders = 50;
const longestHeader = 8192;
const longestBody = 1024 * 1024;

/** The request that every user sends. */
export function addHttpOptions(command: Command): Command {
  return command
    .option('--url <url>', 'what every user asks for; it must be on this machine')
    .option(
      '--method <method>',
      `${methods.join(', ')} (default: GET, or POST with --body)`,
      readMethod,
    )
    .option(
      '--header <header>',
      "a header, as 'Authorization: Bearer …'; once for each",
      readHeader,
    )
    .option(
      '--body <text>',
      'body of the request, or @file; application/json unless a header says otherwise',
    );
}

/** Throws `CouldNotRun` with what is missing or too much. Its headers and body are shown nowhere. */
export async function readHttp(
  flags: HttpFlags,
  folder: string,
  usualUrl?: string,
): Promise<HttpRequest> {
  const { method, header = {}, body } = flags;
  const url = flags.url ?? usualUrl;
  if (url === undefined)
    throw new CouldNotRun(
      '--url is needed: what the users ask for, such as http://localhost:3000/users.',
    );
  const given = body === undefined ? null : await readBody(body, folder);
  const hasType = Object.keys(header).some((name) => name.toLowerCase() === 'content-type');
  return {
    url,
    method: method ?? (given === null ? 'GET' : 'POST'),
    headers: {
      ...(given !== null && !hasType && { 'content-type': 'application/json' }),
      ...header,
    },
    body: given,
  };
}

function readMethod(text: string): string {
  const method = methods.find((each) => each === text.toUpperCase());
  if (method === undefined)
    throw new InvalidArgumentError(`It must be one of ${methods.join(', ')}.`);
  return method;
}

/** Messages never repeat a header: it may hold a secret. */
function readHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)/s.exec(text) ?? [];
  if (
    name === undefined ||
    value === undefined ||
    text.length > longestHeader ||
    /[\r\n\0]/.test(text)
  )
    throw new CouldNotRun(
      `--header is written like 'Name: value', in one line of at most ${longestHeader} characters.`,
    );
  const all = { ...before, [name]: value };
  if (Object.keys(all).length > mostHeaders)
    throw new CouldNotRun(`At most ${mostHeaders} headers can be sent.`);
  return all;
}

async function readBody(text: string, folder: string): Promise<string> {
  if (!text.startsWith('@')) {
    if (Buffer.byteLength(text) > longestBody) throw new CouldNotRun('--body is longer than 1 MB.');
    return text;
  }
  const read = await readBounded(resolve(folder, text.slice(1)));
  if (read.kind !== 'text')
    throw new CouldNotRun(
      `--body: ${text.slice(1)} cannot be read: it is missing, no ordinary file, or larger than 1 MB.`,
    );
  return read.text;
}
