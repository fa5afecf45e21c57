import { print } from '../look/print.ts';

/**
 * Goes on where a reader of what is printed has read enough, such as `head`. Where it cannot be
 * written for another reason, such as a full disk, the rest of the work is done all the same: the
 * process says so once, and ends with 2.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', outlive).on('error', outlive);
}

let isTold = false;

function outlive({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || isTold) return;
  isTold = true;
  process.once('exit', () => {
    process.exitCode = 2;
  });
  print(
    `petstore-twin: standard output could not be written (${code ?? message}). Reports in files are complete.\n`,
    process.stderr,
  );
}
