import { Secret } from '../database/secret.ts';
import type { ProbeRequest } from './request.ts';

/** A request as plain data. The password travels only between the two processes, never in arguments, environment or files. */
export interface SentRequest {
  readonly request: Omit<ProbeRequest, 'secret'>;
  readonly password: string | null;
}

/** What the starting process says; the answers are `ProbeEvent`s. */
export type ProbeCommand = { readonly kind: 'start'; readonly sent: SentRequest } | { readonly kind: 'cancel' };

export function toSentRequest({ secret, ...request }: ProbeRequest): SentRequest {
  return { request, password: secret?.reveal() ?? null };
}

export function fromSentRequest({ request, password }: SentRequest): ProbeRequest {
  return { ...request, secret: password === null ? null : new Secret(password) };
}
