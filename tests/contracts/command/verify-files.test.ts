import { expect, it } from 'vitest';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const shown = {
  type: 'object',
  required: ['id', 'photo', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    photo: { type: 'string' },
    title: { type: 'string' },
  },
};

/** A document of pictures that are sent as files, with the schema of a file. */
function writePictures(photo: object) {
  const schema = {
    type: 'object',
    required: ['photo', 'title'],
    properties: { photo, title: { type: 'string' } },
  };
  const requestBody = { required: true, content: { 'multipart/form-data': { schema } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const responses = { 200: jsonOf(shown), 404: { description: 'none' } };
  return writeJson(
    toDocument({
      '/pictures': {
        get: { operationId: 'list', responses: { 200: jsonOf({ type: 'array', items: shown }) } },
        post: {
          operationId: 'add',
          requestBody,
          responses: { 201: jsonOf(shown), 400: { description: 'no file' } },
        },
      },
      '/pictures/{id}': {
        get: { operationId: 'read', parameters, responses },
        put: { operationId: 'put', parameters, requestBody, responses },
      },
    }),
  );
}

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
  const spec = await writePictures(photo);
  const { findings } = await verifyWrites(url, spec);
  expect(findings).toEqual([]);
  // A file of no type is a picture, which most deployments take.
  expect(files[0]?.type).toBe('image/png');
});
