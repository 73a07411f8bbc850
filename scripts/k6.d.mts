export function findK6(): string | undefined;
