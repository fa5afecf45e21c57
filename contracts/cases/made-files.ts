import { crc32, gzipSync } from 'node:zlib';
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
      Buffer.from([text.length % 256, text.length >> 8]),
      Buffer.from(text),
    ]),
  'application/gzip': (text) => gzipSync(text),
  'text/csv': (text) => Buffer.from(`name\n${text}\n`),
};

/** A PNG of one pixel: what comes before a text in it, and after. */
const [pngStart, pngEnd] = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe',
  'AAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
].map((coded) => Buffer.from(coded, 'base64')) as [Buffer, Buffer];

/** An image of one pixel, with a text (PNG, second edition, §11.3.4). */
function toPng(text: string): Buffer {
  const chunk = Buffer.from(`0000tEXtComment\0${text}0000`);
  chunk.writeUInt32BE(chunk.length - 12);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([pngStart, chunk, pngEnd]);
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
