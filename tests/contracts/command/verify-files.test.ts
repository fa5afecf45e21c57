import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** A document of pictures that are sent as files, with the schema of a file. */
const toPictures = (Photo: object) =>
  documentOf(
    `
    Sent: { photo!: Photo, title! }
    Picture: { readonly id!: int, photo!, title! }
    list: GET /pictures -> [Picture]
    add: POST /pictures multipart/form-data Sent! -> 201 Picture, 400
    read: GET /pictures/{id} -> Picture, 404
    put: PUT /pictures/{id} multipart/form-data Sent! -> Picture, 404
    `,
    { Photo },
  );

/** Keeps pictures, and takes a photo only where it is sent as a file. */
async function startPictures() {
  const pictures: object[] = [{ id: 1, photo: '/files/1', title: 'first' }];
  const files: File[] = [];
  const url = await startServer(async ({ method, segments, headers: asked, bytes }) => {
    const send = (status: number, body: unknown) => ({ status, body });
    const id = segments[1];
    const known = pictures[Number(id) - 1];
    if (id !== undefined && !known) return send(404, {});
    if (method === 'GET' || method === 'HEAD') return send(200, known ?? pictures);
    const headers = { 'Content-Type': asked['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(bytes), { headers })
      .formData()
      .catch(() => undefined);
    const [photo, title] = [form?.get('photo'), form?.get('title')];
    if (!(photo instanceof File) || typeof title !== 'string') return send(400, {});
    files.push(photo);
    const number = known ? Number(id) : pictures.length + 1;
    pictures[number - 1] = { id: number, photo: `/files/${number}`, title };
    return send(known ? 200 : 201, pictures[number - 1]);
  });
  return { url, files };
}

it.each([
  { type: 'string', format: 'binary' },
  { type: 'string', contentMediaType: 'image/png' },
])('sends files as files: %j', async (photo) => {
  const { url, files } = await startPictures();
  const { findings } = await verifyWrites(url, toPictures(photo));
  expect(findings).toEqual([]);
  // A file of no type is a picture, which most deployments take.
  expect(files[0]?.type).toBe('image/png');
});
