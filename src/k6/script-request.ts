/** A request as it arrives: it may hold secrets. */
export interface GivenRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Where the script takes the value of a header from. */
export type HeaderSource =
  | { readonly kind: 'literal'; readonly name: string; readonly value: string }
  | { readonly kind: 'variable'; readonly name: string; readonly variable: string };

/** The same request without its secrets, which the script takes from variables of its environment. */
export interface ScriptRequest {
  /** Without user, password and values of the query that look like secrets. */
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HeaderSource[];
  readonly hasBody: boolean;
  /** Variables without which the request would be another one. */
  readonly required: readonly string[];
}

/** Headers that say what is asked for, not who asks. Any other may be a key, whatever it is called. */
const harmlessHeaders = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'origin',
  'pragma',
  'range',
  'referer',
  'user-agent',
]);
const secretName = /auth|cookie|credential|key|pass|pwd|secret|session|sig|token/i;

export const defaultUrl = 'http://localhost:3000/';

/** Takes the secrets out of a request. Gives a sentence, which repeats nothing of it, for an address that is none. */
export function toScriptRequest({
  url,
  method,
  headers,
  body,
}: GivenRequest):
  | { readonly kind: 'request'; readonly request: ScriptRequest }
  | { readonly kind: 'problem'; readonly sentence: string } {
  const address = withoutSecrets(url);
  if (address === null)
    return {
      kind: 'problem',
      sentence:
        'The URL must start with http:// or https:// and have a host, for example http://localhost:3000/users.',
    };
  const sources = toSources(headers);
  const variables = sources.flatMap((source) =>
    source.kind === 'variable' ? [source.variable] : [],
  );
  return {
    kind: 'request',
    request: {
      url: address.url,
      method,
      headers: sources,
      hasBody: body !== null,
      required: [
        ...(address.hadSecrets ? ['URL'] : []),
        ...variables,
        ...(body === null ? [] : ['BODY']),
      ],
    },
  };
}

/** The variables that a script needs for the request that it was made of, by name. */
export function toVariables({
  url,
  headers,
  body,
}: GivenRequest): Readonly<Record<string, string>> {
  const values = Object.values(headers);
  const entries = toSources(headers).flatMap((source, index) =>
    source.kind === 'variable' ? [[source.variable, values[index] ?? ''] as const] : [],
  );
  return { URL: url, ...Object.fromEntries(entries), ...(body !== null && { BODY: body }) };
}

function toSources(headers: Readonly<Record<string, string>>): readonly HeaderSource[] {
  const taken = new Set<string>();
  return Object.entries(headers).map(([name, value], index) => {
    if (harmlessHeaders.has(name.toLowerCase())) return { kind: 'literal', name, value };
    // `HEADER_X_API_KEY` for `X-Api-Key`; a number tells names apart that are spelled alike.
    const spelled = `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
    const variable = taken.has(spelled) ? `${spelled}_${index}` : spelled;
    taken.add(variable);
    return { kind: 'variable', name, variable };
  });
}

function withoutSecrets(
  text: string,
): { readonly url: string; readonly hadSecrets: boolean } | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const before = url.href;
  url.username = '';
  url.password = '';
  for (const name of new Set(url.searchParams.keys()))
    if (secretName.test(name)) url.searchParams.delete(name);
  url.hash = '';
  return { url: url.href, hadSecrets: before.replace(/#.*/s, '') !== url.href };
}
