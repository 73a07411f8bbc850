/** Decorators of classes of which a container makes one object for all who ask for it, unless they are told another scope (@nestjs/common 11 `decorators/core/injectable.decorator.js`). */
const containers: readonly { readonly module: string; readonly name: string }[] = [
  { module: '@nestjs/common', name: 'Injectable' },
];

export function isContainers(exported: {
  readonly module: string;
  readonly name: string;
}): boolean {
  return containers.some(
    ({ module, name }) => module === exported.module && name === exported.name,
  );
}

/** What is made anew for each request is recognised by this scope (@nestjs/common 11 `interfaces/scope-options.interface.d.ts`). */
export const requestScope = { module: '@nestjs/common', name: 'Scope', member: 'REQUEST' } as const;
