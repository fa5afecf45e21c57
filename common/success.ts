/** Tells whether a response is a success: of one status, or of all of them (`2XX`). */
export function isSuccess({ status }: { status: string | number }): boolean {
  return /^2(\d\d|XX)$/i.test(String(status));
}
