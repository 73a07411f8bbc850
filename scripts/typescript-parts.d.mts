/** TypeScript as a module of which a bundler keeps what parsing uses. @param root The repository. */
export function typescriptParts(root: string): string;
