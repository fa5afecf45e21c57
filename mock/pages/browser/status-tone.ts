/** The class that gives a status its colour. */
export function toTone(status: number | null): string {
  if (status === null || status >= 500) return 'is-drift';
  if (status >= 400) return 'is-standard';
  return status >= 300 ? 'is-difference' : 'is-kept';
}
