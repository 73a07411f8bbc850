/** What the operating system calls a failure, else its text. */
export function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : String(failure);
}
