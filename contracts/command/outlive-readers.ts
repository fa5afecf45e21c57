/** Goes on where a reader of what is printed has read enough, such as `head`. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', outlive).on('error', outlive);
}

function outlive(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
