import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Mutate } from '../../../tools/lab/deployment.ts';
import { instead } from './answers.ts';
import type { HostileRows } from './row.ts';

const mebibyte = 1024 * 1024;

/** 1 MB of gzip that expands to 1 GiB. */
function gzipBomb(): Buffer {
  const part = gzipSync(Buffer.alloc(16 * mebibyte));
  return Buffer.concat(Array.from({ length: 64 }, () => part));
}

function zeros(): Buffer {
  return Buffer.alloc(64 * mebibyte);
}

function encoded(make: () => Buffer, ...codings: string[]): Mutate {
  return (...context) => {
    const content = make();
    return instead(() => content, { 'Content-Encoding': codings.join(', ') })(...context);
  };
}

/** Content codings that expand, or that the body is not in. */
export const codings: HostileRows = {
  'gzip-bomb': {
    about: '1 MB of gzip that expands to 1 GiB',
    mutate: encoded(gzipBomb, 'gzip'),
    says: /got an answer of more than 8 MiB/,
  },
  'br-bomb': {
    about: 'Brotli that expands to 64 MiB',
    mutate: encoded(
      () => brotliCompressSync(zeros(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      'br',
    ),
  },
  'no-gzip': {
    about: 'a coding that the body is not in',
    mutate: encoded(() => Buffer.from('[{"id":1}]'), 'gzip'),
    says: /a body that cannot be decoded/,
  },
  'unknown-coding': {
    about: 'a coding that nobody knows',
    mutate: encoded(() => Buffer.from('[]'), 'rot13'),
  },
};
