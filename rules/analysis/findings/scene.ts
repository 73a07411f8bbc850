import type { Checkout } from '../client/checkout.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Resolver } from '../identity/resolver.ts';
import type { Settings } from '../session/pooler-setting.ts';

/** What a judge may look at: one file, and every client that was followed in it. */
export interface Scene {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly checkouts: readonly Checkout[];
  readonly settings: Settings;
}
