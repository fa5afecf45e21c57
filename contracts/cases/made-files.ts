import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { isJsonMedia } from '../../common/media-type.ts';
import type { Content } from '../../openapi/index.ts';
import { toFormParts, toPartHead } from '../../openapi/model/write-body.ts';
import { isFileContent } from '../document/sendable-body.ts';

/** A body in bytes, and its media type with what is needed to read it. */
type FileBody = { mediaType: string; body: Buffer };

/** The media type of a file where the document leaves it open: an image is a file as well. */
const usualType = 'image/png';

/**
 * Writes the value of a body that is a file, or a form with files: a small one of the described media
 * type for each text there, in which that text stands. Undefined if the body has no file.
 */
export function writeFiles(content: Content, value: unknown): FileBody | undefined {
  if (isFileContent(content) && typeof value === 'string') {
    const type = toFileType(content.mediaType);
    const mediaType = content.mediaType.endsWith('/*') ? type : content.mediaType;
    return { mediaType, body: fileOf(type, value) };
  }
  const { files } = content;
  const isForm = content.mediaType === 'multipart/form-data' && Object.keys(files).length > 0;
  if (!isForm || typeof value !== 'object' || value === null) return undefined;
  const boundary = 'form-with-files';
  const parts = toFormParts(content, value).flatMap(({ name, text, type }) => {
    if (type === undefined || !(name in files))
      return [toPartHead(boundary, { name, type }), text, '\r\n'];
    const fileType = toFileType(type);
    const file = { name, type: fileType, filename: `${text}.${extensionOf(fileType)}` };
    return [toPartHead(boundary, file), fileOf(fileType, text), '\r\n'];
  });
  const whole = [...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part));
  return { mediaType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(whole) };
}

/** Returns a small file of the usual media type in base64 (RFC 4648 §4). */
export function fileInBase64(text: string): string {
  return fileOf(usualType, text).toString('base64');
}

function toFileType(mediaType: string): string {
  if (mediaType === 'application/octet-stream' || mediaType === '*/*') return usualType;
  return mediaType.replace('image/*', usualType).replace('/*', '/plain');
}

function extensionOf(mediaType: string): string {
  return mediaType === 'text/plain' ? 'txt' : (/[a-z0-9]+$/.exec(mediaType)?.[0] ?? 'bin');
}

/** The bytes of a file of a media type, in which a text stands where its format has room for one. */
function fileOf(mediaType: string, text: string): Buffer {
  const write = writers[mediaType];
  if (write) return write(text);
  return Buffer.from(isJsonMedia(mediaType) ? JSON.stringify({ text }) : `${text}\n`);
}

const writers: Readonly<Record<string, (text: string) => Buffer>> = {
  'image/png': toPng,
  'image/gif': toGif,
  'image/svg+xml': (text) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><title>${text}</title></svg>`),
  'application/pdf': (text) =>
    Buffer.from(
      `%PDF-1.4\n%${text}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
    ),
  'application/zip': (text) =>
    Buffer.concat([
      Buffer.from('PK\x05\x06'),
      Buffer.alloc(16),
      uint(2, text.length),
      Buffer.from(text),
    ]),
  'application/gzip': (text) => gzipSync(text),
  'text/csv': (text) => Buffer.from(`name\n${text}\n`),
};

/** An image of one pixel, with a text (PNG, second edition, §11.3.4). */
function toPng(text: string): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${text}`)),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 255, 255]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The same as a GIF, whose comment has at most 255 bytes. */
function toGif(text: string): Buffer {
  const comment = Buffer.from(text).subarray(0, 255);
  return Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    Buffer.from([0x21, 0xfe, comment.length]),
    comment,
    Buffer.from([0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);
}

function uint(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
