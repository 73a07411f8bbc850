import { Secret } from '../database/secret.ts';
import type { Access, ProbeRequest } from './request.ts';

/** A request as plain data. Passwords travel only between the two processes, never in arguments, environment or files. */
export interface SentRequest {
  /** Every secret in it is null. */
  readonly request: ProbeRequest;
  readonly passwords: Readonly<Record<Place, string | null>>;
}

/** Where a request may hold a password. */
type Place = 'target' | 'server' | 'pooler';

/** What the starting process says; the answers are `ProbeEvent`s. `go` agrees to the plan, `conclude` asks for the answer that there is by now. */
export type ProbeCommand =
  | { readonly kind: 'start'; readonly sent: SentRequest }
  | { readonly kind: 'go' }
  | { readonly kind: 'conclude' }
  | { readonly kind: 'cancel' };

export function toSentRequest(request: ProbeRequest): SentRequest {
  const reveal = (access: Access | null) => access?.secret?.reveal() ?? null;
  const passwords = {
    target: reveal(request),
    server: reveal(request.server),
    pooler: request.experiment === 'connect' ? reveal(request.pooler) : null,
  };
  return { request: withSecrets(request, () => null), passwords };
}

export function fromSentRequest({ request, passwords }: SentRequest): ProbeRequest {
  return withSecrets(request, (place) => {
    const password = passwords[place];
    return password === null ? null : new Secret(password);
  });
}

function withSecrets(
  request: ProbeRequest,
  secretOf: (place: Place) => Secret | null,
): ProbeRequest {
  const change = (access: Access | null, place: Place) =>
    access === null ? null : { ...access, secret: secretOf(place) };
  const common = { secret: secretOf('target'), server: change(request.server, 'server') };
  return request.experiment === 'connect'
    ? { ...request, ...common, pooler: change(request.pooler, 'pooler') }
    : { ...request, ...common };
}
