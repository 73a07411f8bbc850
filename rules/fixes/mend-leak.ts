import type { Checkout } from '../typestate/checkout.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Suggestion } from './suggestion.ts';
import type { Resolver } from '../values/resolver.ts';
import { callDone } from './call-done.ts';
import { releaseInFinally } from './release-in-finally.ts';

/** What gives a client back that is lost on some path. */
export function mendLeak(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): readonly Suggestion[] {
  return checkout.acquisition.style === 'callback'
    ? callDone(checkout, file)
    : releaseInFinally(checkout, file, resolver);
}
