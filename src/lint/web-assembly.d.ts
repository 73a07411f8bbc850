/** Node's types name modules and instances only; these are the parts that are used here. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: NodeJS.BufferSource);
    static imports(
      module: Module,
    ): readonly { readonly module: string; readonly name: string; readonly kind: string }[];
  }
  class Instance {
    constructor(
      module: Module,
      imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    );
    readonly exports: Readonly<Record<string, unknown>>;
  }
  interface Table {
    get(place: number): unknown;
  }
  class RuntimeError extends Error {}
}

/** Part of the package without types of its own. */
declare module 'oxc-parser/src-js/wrap' {
  /** Makes the tree of its JSON, values of regular expressions and big numbers included. */
  export function jsonParseAst(json: string): unknown;
}
