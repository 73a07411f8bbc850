// Stands for node:module in a browser: nothing is installed, and Node's own modules are recognised by their prefix.

export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:');
}

export function createRequire(): (name: string) => never {
  return (name) => {
    throw new Error(`There are no modules in a browser, so none is called ${name}.`);
  };
}
