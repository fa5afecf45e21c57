import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { runCommand } from '../../../contracts/command/run-command.ts';
import { writeReports } from '../../../contracts/command/write-reports.ts';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { drifted } from '../../support/report.ts';
import { startServer } from '../../support/start-server.ts';
import { projectFile } from '../../support/twin.ts';
import { freeKey, keys, proKey, startBroken, useVerify } from '../../support/verify-command.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { readAll } from '../har/samples.ts';

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

const verify = useVerify();

it('records every exchange with both targets, and no key in whatever form', async () => {
  const { url } = await startBroken();
  const folder = makeFolder();
  const har = join(folder, 'run.har');
  const given = ['--key', `free=${freeKey}`, '--key', proKey, '--redact', 'name'];
  const few = ['--only', 'listPets', '--only', 'createPet', '--no-probe-limits'];
  const { code, err } = await verify(['--target', url, ...given, ...few, '--learn', har]);
  expect(code).toBe(1);
  expect(err).toContain(`Learn from ${har} with: petstore-twin learn ${har} --base-url ${url}\n`);

  const text = readFileSync(har, 'utf8');
  const { log } = JSON.parse(text);
  expect(log.pages.map(({ title }: { title: string }) => title)).toEqual([
    expect.stringMatching(/^twin: http:.*\/v1$/),
    `target: ${url}`,
  ]);
  const countOf = (name: string) =>
    log.entries.filter(({ pageref }: { pageref: string }) => pageref === name).length;
  expect(countOf('target')).toBeGreaterThanOrEqual(50);
  expect(countOf('twin')).toBeGreaterThanOrEqual(50);

  const lower = text.toLowerCase();
  for (const key of [...Object.keys(keys), 'demo-free', 'demo-enterprise']) {
    const isUsed = key !== 'sk-live-77be20-free';
    if (isUsed) expect(lower).not.toContain(key.toLowerCase());
    expect(lower).not.toContain(Buffer.from(`${key}:`).toString('base64').toLowerCase());
  }
  expect(text).toContain('Bearer target-free-1');
  expect(text).toContain('Bearer target-key-1');
  expect(text).toContain('Bearer twin-enterprise-1');
  expect(text).not.toContain('Mittens');

  const { exchanges, skipped } = await readAll(har);
  expect(skipped).toEqual([]);
  expect(exchanges).toHaveLength(log.entries.length);
  expect(exchanges.some(({ request }) => request.body)).toBe(true);
}, 120_000);

it('writes what it can where a report cannot be written, and says so at the end', async () => {
  const at = makeFolder();
  const files = { json: join(at, 'no-such-folder', 'report.json'), junit: join(at, 'report.xml') };
  const written = writeReports(drifted, {
    ...files,
    ...{ github: false, stepSummary: undefined, strict: false },
  });
  await expect(written).rejects.toThrow(
    new UsageError(`--json ${files.json} could not be written (ENOENT).`),
  );
  expect(readFileSync(files.junit, 'utf8')).toContain('<testsuites');
});

it('writes an annotation where a run ends with 2, whatever the reason', async () => {
  const cases = [
    ['--nonsense', "Unknown option '--nonsense'. See --help."],
    ['--baseline=none.json', '--baseline none.json cannot be read: there is no such file.'],
  ];
  for (const [option = '', why = ''] of cases) {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await runCommand(['--github', option], { env: {}, command: 'verify' });
    const [[annotation] = []] = written.mock.calls;
    written.mockRestore();
    said.mockRestore();
    expect([code, annotation]).toEqual([2, `::error title=petstore-twin verify::${why}\n`]);
  }
});

const main = projectFile('contracts/main.ts');

/** Runs a command in a shell that sends its standard output to a full disk. */
function run(...args: string[]): Promise<{ code: unknown; err: string }> {
  const script = '"$0" "$@" > /dev/full';
  return new Promise((resolve) => {
    execFile('sh', ['-c', script, process.execPath, main, ...args], (error, _, err) =>
      resolve({ code: error?.code ?? 0, err }),
    );
  });
}

const call = {
  request: { method: 'GET', url: 'http://127.0.0.1:1/v1/pets', headers: [] },
  response: { status: 500, headers: [], content: { text: '{}' } },
  startedDateTime: '2026-01-15T12:00:00.000Z',
};

describe.runIf(existsSync('/dev/full'))('where standard output is a full disk', () => {
  it('judge writes its reports all the same, and says what could not be written', async () => {
    const folder = makeFolder();
    const [calls, report] = [join(folder, 'calls.har'), join(folder, 'report.json')];
    writeFileSync(calls, JSON.stringify({ log: { entries: [call] } }));
    const base = ['--base-url', 'http://127.0.0.1:1/v1'];
    const { code, err } = await run('judge', calls, ...base, '--json', report);
    expect(code).toBe(2);
    expect(err).toContain('petstore-twin: standard output could not be written (ENOSPC).');
    expect(err).not.toContain('bug in the suite');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toHaveProperty('findings');
  });

  it.each([
    ['data', '--help'],
    ['docs', '--help'],
    ['calibrate', '--help'],
    ['verify', '--list-clauses'],
  ])('%s ends with 2 and a sentence', async (...args) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toMatch(/^petstore-twin: standard output could not be written \(ENOSPC\)[^\n]*\n$/);
  });
});
