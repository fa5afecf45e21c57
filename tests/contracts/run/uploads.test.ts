import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import type { AskedRequest, Reply } from '../../support/start-server.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const album = documentOf(`
  GET /albums -> [Album]
  POST /albums { id, name! }! -> 201 Album, 400, 404
  GET /albums/{id:text} -> Album, 400, 404
  DELETE /albums/{id:text} -> 204, 400, 404
  POST /albums/{id:text}/cover multipart/form-data { file!: binary }! -> 200, 400, 404
  GET /albums/{id:text}/notes -> application/octet-stream, 400, 404
  PUT /albums/{id:text}/notes application/octet-stream binary! -> 204, 400, 404
  Album: { id, name }
`);

async function startAlbums(isCut: boolean) {
  const albums = new Map([
    ['ours', { id: 'ours', name: 'Ours', notes: 'Anna' as string | Buffer }],
  ]);
  const parts: string[] = [];
  let last = 0;
  const answer = ({
    method,
    segments: [, id, word],
    bytes,
    sent,
    headers,
  }: AskedRequest): Reply => {
    if (id === undefined) {
      if (method !== 'POST') return { status: 200, body: [...albums.values()] };
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { id: `a${++last}`, name: sent.name, notes: '' };
      albums.set(made.id, made);
      return { status: 201, body: made };
    }
    const one = albums.get(id);
    if (!one) return { status: 404 };
    if (word === 'cover') {
      const at = bytes.indexOf('\x89PNG', 0, 'latin1');
      parts.push(bytes.toString('latin1', 0, at));
      const isWhole = inflateSync(bytes.subarray(bytes.indexOf('IDAT') + 4)).length === 4;
      return { status: at > 0 && isWhole ? 200 : 400 };
    }
    if (word === 'notes' && method === 'PUT') {
      if (headers['content-type'] !== 'application/octet-stream') return { status: 400 };
      one.notes = isCut ? bytes.subarray(0, 20) : bytes;
      return { status: 204 };
    }
    if (word === 'notes') {
      const type = { 'Content-Type': 'application/octet-stream' };
      return { status: 200, body: Buffer.from(one.notes), headers: type };
    }
    if (method === 'DELETE') albums.delete(id);
    return { status: method === 'DELETE' ? 204 : 200, body: one };
  };
  const url = await startServer((asked) => answer(asked));
  return { url, albums, parts };
}

it('sends files with their names, and compares what is read with what was sent', async () => {
  const { url, albums, parts } = await startAlbums(false);
  const report = await verifyWrites(url, album);
  const reached = report.operations.filter(({ results }) => results.target?.successes);
  expect(reached.map(({ id }) => id)).toContain('POST /albums/{id}/cover');
  expect(parts.join('\n')).toMatch(
    /name="file"; filename="[0-9a-f]{12}\.png"\r\nContent-Type: image\/png\r\n\r\n$/,
  );
  expect(report.findings.filter(({ check }) => check === 'read-back')).toEqual([]);
  expect([...albums]).toHaveLength(1);
  expect(albums.get('ours')?.notes).toBe('Anna');
});

it('finds a file that is stored in part', async () => {
  const { url } = await startAlbums(true);
  const { findings } = await verifyWrites(url, album);
  const [found] = findings.filter(({ check }) => check === 'read-back');
  expect(found).toMatchObject({
    message: 'GET /albums/{id}/notes answers with other bytes than PUT /albums/{id}/notes was sent',
    actual: '20 bytes',
  });
});
