import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** oxc's parser as WebAssembly. In what is published it lies beside the bundle, as scripts/build.mjs says. */
export function readOxc(): Buffer<ArrayBuffer> {
  return readFileSync(createRequire(import.meta.url).resolve('oxc-parser/wasm'));
}
