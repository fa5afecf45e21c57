import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const bytes = 'application/octet-stream binary';
const document = documentOf(
  `
  GET /notes -> [Note]
  POST /notes multipart/form-data { title!, file: binary } -> 201 Note
  GET /notes/{id} -> Note, 404
  PUT /notes/{id} { title! } -> Note, 201 Note
  PATCH /notes/{id} { title, new_id: int } -> Note, 404
  DELETE /notes/{id} -> 204, 404
  GET /notes/{id}/content -> 200 ${bytes}, 404
  PUT /notes/{id}/content ${bytes} -> 204, 404
  `,
  { Note: '{ readonly id!: int, title! }' },
);

const id = fc.integer({ min: 1, max: 7 });
const title = fc.constantFrom('a', 'b', '7');
const step = fc.oneof(
  fc.record({ act: fc.constant('create' as const), title, hasFile: fc.boolean() }),
  fc.record({ act: fc.constant('replace' as const), id, title }),
  fc.record({ act: fc.constant('rename' as const), id, newId: id, title }),
  fc.record({ act: fc.constant('update' as const), id, title }),
  fc.record({ act: fc.constant('delete' as const), id }),
  fc.record({ act: fc.constant('upload' as const), id }),
  fc.record({ act: fc.constantFrom('save' as const, 'restore' as const, 'reset' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

type Note = { id: number; title: string };
type Kept = Note & { file?: string };

/** Lists the items to expect in order, the number of the next one, and the same as it was saved. */
class Model {
  items: Kept[] = [];
  next = 1;
  #saved: { items: Note[]; next: number } | undefined;
  #files = 0;

  newFile(): string {
    return `file-${++this.#files}`;
  }

  find(id: number): Kept | undefined {
    return this.items.find((one) => one.id === id);
  }

  add(item: Kept): void {
    this.items.push(item);
    this.next = Math.max(this.next, item.id + 1);
  }

  /** Follows a step, and gives the status of its answer; files are kept beside what is saved. */
  follow(one: Step, file: string | undefined): number {
    const found = 'id' in one ? this.find(one.id) : undefined;
    switch (one.act) {
      case 'create':
        this.add({ id: this.next, title: one.title, ...(file && { file }) });
        return 201;
      case 'replace':
        if (found) found.title = one.title;
        else this.add({ id: one.id, title: one.title });
        return found ? 200 : 201;
      case 'rename':
        if (!found) return 404;
        if (one.newId !== one.id && this.find(one.newId)) return 409;
        Object.assign(found, { id: one.newId, title: one.title });
        this.next = Math.max(this.next, one.newId + 1);
        return 200;
      case 'update':
        if (found) found.title = one.title;
        return found ? 200 : 404;
      case 'delete':
        this.items = this.items.filter((other) => other !== found);
        return found ? 204 : 404;
      case 'upload':
        if (found && file) found.file = file;
        return found ? 204 : 404;
      case 'save':
        this.#saved = { items: this.items.map(toNote), next: this.next };
        return 0;
      default: {
        const saved = one.act === 'restore' ? this.#saved : { items: [], next: 1 };
        if (saved) this.items = saved.items.map(toNote);
        this.next = saved?.next ?? this.next;
        return saved ? 200 : 404;
      }
    }
  }
}

const toNote = ({ id, title }: Kept): Note => ({ id, title });

it('keeps what was acknowledged, and files with their items, whatever is done in which order', async () => {
  const { api, origin } = await serveDocument(document, {
    pets: 0,
    rateLimits: 'off',
    journalEntries: 0,
  });
  const send = async (method: string, path: string, sent?: object | string) => {
    const isForm = sent instanceof FormData;
    const type = typeof sent === 'string' ? 'application/octet-stream' : 'application/json';
    const content = isForm || typeof sent === 'string' ? sent : JSON.stringify(sent);
    const headers = isForm ? {} : { 'Content-Type': type };
    const url = path.startsWith('/__') ? origin + path : api + path;
    const response = await fetch(url, {
      method,
      ...(sent && { body: content as string | FormData, headers }),
    });
    return { status: response.status, text: await response.text() };
  };
  const act = (one: Step, file = '') => {
    const path = 'id' in one ? `/notes/${one.id}` : '/notes';
    if (one.act === 'create') return send('POST', path, toForm(one.title, one.hasFile, file));
    if (one.act === 'replace') return send('PUT', path, { title: one.title });
    if (one.act === 'rename') return send('PATCH', path, { title: one.title, new_id: one.newId });
    if (one.act === 'update') return send('PATCH', path, { title: one.title });
    if (one.act === 'delete') return send('DELETE', path);
    if (one.act === 'upload') return send('PUT', `${path}/content`, file);
    if (one.act === 'save') return send('PUT', '/__admin/snapshots/s');
    if (one.act === 'restore') return send('POST', '/__admin/snapshots/s/restore');
    return send('POST', '/__admin/reset');
  };
  const expectKept = async ({ items }: Model) => {
    expect(JSON.parse((await send('GET', '/notes')).text)).toEqual(items.map(toNote));
    for (const at of [1, 2, 3, 4, 5, 6, 7]) {
      const item = items.find((one) => one.id === at);
      const { status, text } = await send('GET', `/notes/${at}`);
      expect([at, status]).toEqual([at, item ? 200 : 404]);
      if (item) expect(JSON.parse(text)).toEqual(toNote(item));
      const file = (await send('GET', `/notes/${at}/content`)).text;
      if (item?.file) expect(file).toBe(item.file);
      else expect(file).not.toMatch(/^file-/);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await send('POST', '/__admin/reset');
      await send('DELETE', '/__admin/snapshots/s');
      const model = new Model();
      for (const one of steps) {
        const hasFile = one.act === 'upload' || (one.act === 'create' && one.hasFile);
        const file = hasFile ? model.newFile() : undefined;
        const { status } = await act(one, file);
        const expected = model.follow(one, file);
        if (expected > 0) expect([one, status]).toEqual([one, expected]);
      }
      await expectKept(model);
    }),
    { seed: 20_301_205, numRuns: 15 },
  );
});

function toForm(title: string, hasFile: boolean, file: string): FormData {
  const form = new FormData();
  form.set('title', title);
  if (hasFile) form.set('file', new File([file], 'a.txt'));
  return form;
}
