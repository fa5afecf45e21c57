import { makeFolder } from '../support/make-folder.ts';
import { copyFileSync, readdirSync, readFileSync, } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTwin, type TwinSettings } from '../../package/twin.ts';
import { projectFile } from '../support/twin.ts';

/** Each folder has what users kept of a version, as write-fixtures.ts wrote it then. */
const root = projectFile('tests/upgrade');
const versions = readdirSync(root).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
const created = '{"id":3,"name":"Ré 🐕","categoryId":9007199254740993';

async function startTwin(settings: TwinSettings) {
  const twin = await createTwin({ listen: false, ...settings });
  onTestFinished(() => twin.close());
  const get = (path: string, key = twin.key()) =>
    twin.fetch(twin.url + path, { headers: { Authorization: `Bearer ${key}` } });
  return { twin, get };
}

describe.each(versions)('what %s wrote', (version) => {
  const file = (name: string) => join(root, version, name);

  it('goes on with a store', async () => {
    const folder = makeFolder();
    copyFileSync(file('twin.db'), join(folder, 'twin.db'));
    const store = `sqlite:${join(folder, 'twin.db')}`;
    const { twin, get } = await startTwin({ store, data: join(root, 'pets.json') });
    expect(await (await get('/pets/3')).text()).toContain(created);
    expect((await get('/pets', 'demo-pro')).status).toBe(429);
    expect(await twin.clock.now()).toEqual(new Date('2030-01-01T12:00:00Z'));
  });

  it('restores a snapshot', async () => {
    const { twin, get } = await startTwin({});
    await (await twin.snapshot(readFileSync(file('snapshot.json'), 'utf8'))).restore();
    expect(await (await get('/pets/3')).text()).toContain(created);
    expect((await get('/pets/4')).status).toBe(404);
    expect((await get('/pets', 'demo-pro')).status).toBe(429);
    expect(await twin.clock.now()).toEqual(new Date('2030-01-01T12:00:00Z'));
  });

  it('follows pins', async () => {
    const { get } = await startTwin({ pins: file('pins.yaml') });
    expect((await get('/pets?limit=-1')).status).toBe(422);
    const clamped = await get('/pets?limit=101');
    expect(await clamped.json()).toHaveLength(100);
  });

  it('has a report that still fits the schema', () => {
    const schema = JSON.parse(
      readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8'),
    );
    const isValid = new Ajv2020({ allErrors: true, formats: { 'date-time': true } }).compile(
      schema,
    );
    isValid(JSON.parse(readFileSync(file('report.json'), 'utf8')));
    expect(isValid.errors).toBeNull();
  });
});
