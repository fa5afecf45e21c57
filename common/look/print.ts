import { styleText } from 'node:util';
import { toVisible } from './visible.ts';

type Output = Pick<NodeJS.WriteStream, 'write'>;

/** Prints text for people to standard output, or another one; see {@link toPrinted}. */
export function print(text: string, out: Output = process.stdout): void {
  const isPlain = styleText('bold', '-', { stream: out as NodeJS.WriteStream }) === '-';
  out.write(toPrinted(text, { isPlain }));
}

/** Says something of a command on standard error, in a line. */
export function say(command: string, message: string): void {
  print(`petstore-twin ${command}: ${toVisible(message)}\n`, process.stderr);
}

/**
 * Returns text that is safe for a terminal: only line breaks, and colours unless plain, have an
 * effect. No line starts a GitHub Actions command (`::`).
 */
export function toPrinted(text: string, { isPlain = true } = {}): string {
  const parts = text.split(isPlain ? /(\n)/ : colourOrBreak);
  return parts
    .map((part, index) => (index % 2 === 0 ? toVisible(part) : part))
    .join('')
    .replaceAll(/^([^\S\n]*:):/gm, '$1\\x3a');
}

/** How a build shows an annotation. */
export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A workflow command of GitHub; what it carries cannot end it, nor begin another one. */
export function toAnnotation(level: AnnotationLevel, title: string, ...lines: string[]): string {
  const message = lines.map(toVisible).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
  const property = toVisible(title)
    .replaceAll('%', '%25')
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
  return `::${level} title=${property}::${message}`;
}

/** Says why a command failed on standard error, and in an annotation where a build reads those. */
export function sayFailure(
  command: string,
  message: string,
  { isAnnotated, out = process.stdout }: { isAnnotated: boolean; out?: Output },
): void {
  say(command, message);
  if (isAnnotated) out.write(`${toAnnotation('error', `petstore-twin ${command}`, message)}\n`);
}

const colourOrBreak = new RegExp(`(\n|${String.fromCharCode(27)}\\[[\\d;]*m)`);
