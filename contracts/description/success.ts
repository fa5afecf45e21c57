/** Whether a described response is a success: of one status, or of all of them (`2XX`). */
export function isSuccess({ status }: { status: string }): boolean {
  return /^2(\d\d|XX)$/i.test(status);
}
