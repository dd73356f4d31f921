/** The text of an error, as events and conditions show it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
