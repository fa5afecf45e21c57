import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { isWhole } from '../../support/sample.ts';
import { type ServedDocument, serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';
import {
  empty,
  follow,
  type Outcome,
  type State,
  type Step,
  type Turn,
  turns,
} from './shelf-model.ts';

const bytes = 'application/octet-stream binary';
const document = documentOf(`
  GET /shelves -> [Shelf]
  POST /shelves { name! } -> 201 Shelf, 409
  GET /shelves/{id} -> Shelf, 404
  PUT /shelves/{id} { name! } -> Shelf, 201 Shelf
  PATCH /shelves/{id} { name, new_id: int } -> Shelf, 404, 409
  DELETE /shelves/{id} -> 204, 404
  GET /shelves/{shelfId}/notes?cursor&limit:int -> { data!: [Note], next!: text | null }, 404
  POST /shelves/{shelfId}/notes multipart/form-data { title!, file: binary } -> 201 Note, 404
  PATCH /shelves/{shelfId}/notes [{ id!: int, title! }] -> [Note], 404
  GET /shelves/{shelfId}/notes/{id} -> Note, 404
  PUT /shelves/{shelfId}/notes/{id} { title! } -> Note, 201 Note, 404
  PATCH /shelves/{shelfId}/notes/{id} { title, new_id: int } -> Note, 404, 409
  DELETE /shelves/{shelfId}/notes/{id} -> 204, 404
  GET /shelves/{shelfId}/notes/{id}/content -> ${bytes}, 404
  PUT /shelves/{shelfId}/notes/{id}/content ${bytes} -> 204, 404
  Shelf: { readonly id!: int, name! }
  Note: { readonly id!: int, title! }
`);

type Client = Pick<ServedDocument, 'call' | 'origin'> & { home: number };

/** Sends the request of a step; a slow one is a body of which the end comes later. */
async function perform({ call, origin }: Client, one: Step, slow?: Promise<unknown>) {
  const notes = 'shelf' in one ? `/shelves/${one.shelf}/notes` : '';
  const item = 'id' in one ? `${notes || '/shelves'}/${one.id}` : '';
  const send = async (path: string, init: RequestInit): Promise<Outcome> => {
    const { status, json } = await call(path, init);
    return { status, id: json?.id };
  };
  const admin = async (method: string, path: string): Promise<Outcome> => {
    const { status } = await fetch(`${origin}/__admin/${path}`, { method });
    return { status: status < 300 ? 200 : status };
  };
  switch (one.act) {
    case 'shelve':
      return send(
        '/shelves',
        withJson('POST', { name: one.text }, one.key ? { 'Idempotency-Key': one.key } : {}),
      );
    case 'putShelf':
      return send(item, withJson('PUT', { name: one.text }));
    case 'putNote':
      return send(item, withJson('PUT', { title: one.text }));
    case 'renameShelf':
    case 'renameNote':
      return send(item, withJson('PATCH', { new_id: one.newId }));
    case 'dropShelf':
    case 'dropNote':
      return send(item, { method: 'DELETE' });
    case 'changeNotes':
      return send(
        notes,
        withJson(
          'PATCH',
          one.ids.map((id) => ({ id, title: one.text })),
        ),
      );
    case 'note': {
      const body = new FormData();
      body.set('title', one.text);
      if (one.file) body.set('file', new File([one.file], 'a.txt'));
      return send(notes, { method: 'POST', body });
    }
    case 'upload': {
      const headers = { 'Content-Type': 'application/octet-stream' };
      const body = slow ? inParts(one.file ?? '', slow) : (one.file ?? '');
      return send(`${item}/content`, { method: 'PUT', body, headers, duplex: 'half' });
    }
    case 'save':
      return admin('PUT', 'snapshots/s');
    case 'restore':
      return admin('POST', 'snapshots/s/restore');
    case 'reset':
      return admin('POST', 'reset');
  }
}

/** The bytes of a text, of which the last one comes after something else. */
function inParts(text: string, last: Promise<unknown>): ReadableStream {
  const parts = [text.slice(0, -1), text.slice(-1)].map((part) => new TextEncoder().encode(part));
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(parts[0]);
      await last;
      controller.enqueue(parts[1]);
      controller.close();
    },
  });
}

/** Expects the shelves, notes and files of a state, and nothing below what is gone. */
async function expectState({ call, origin }: Client, { shelves }: State): Promise<void> {
  const held = (await call('/shelves')).json;
  expect(held).toEqual(shelves.map(({ id, name }) => ({ id, name })));
  for (const { id: shelf, notes } of shelves) {
    const { json } = await call(`/shelves/${shelf}/notes`);
    expect([shelf, json.data]).toEqual([shelf, notes.map(({ id, title }) => ({ id, title }))]);
    for (const { id, file } of notes) {
      const { text } = await call(`/shelves/${shelf}/notes/${id}/content`);
      if (file) expect([shelf, id, text]).toEqual([shelf, id, file]);
      else expect([shelf, id, text]).not.toEqual([shelf, id, expect.stringMatching(/^file-/)]);
    }
  }
  const all = await (
    await fetch(`${origin}/__admin/data/${encodeURIComponent('shelves/{shelfId}/notes')}?limit=0`)
  ).json();
  expect(all).toMatchObject({ meta: { total: shelves.flatMap(({ notes }) => notes).length } });
}

/** Follows the turns of two clients by the states that their answers leave possible. */
class Follower {
  #states: readonly State[] = [empty];
  #files = 0;
  readonly #clients: readonly [Client, Client];

  constructor(...clients: readonly [Client, Client]) {
    this.#clients = clients;
  }

  async take(turn: Turn): Promise<void> {
    if ('walk' in turn) return this.#walk(turn.walk, turn.between);
    if ('steps' in turn) for (const one of turn.steps) await this.#run(this.#ready(one));
    else await this.#runBoth(this.#ready(turn.both[0]), this.#ready(turn.both[1]), turn.isSlow);
  }

  /** Expects that the mock is in one of the states. */
  async end(): Promise<void> {
    const client = this.#clients[0];
    const seen = await Promise.allSettled(this.#states.map((one) => expectState(client, one)));
    const wrong = seen.filter((one) => one.status === 'rejected');
    if (wrong.length === seen.length) throw wrong[0]?.reason;
  }

  #ready(one: Step): Step {
    const hasFile = one.act === 'upload' || (one.act === 'note' && one.hasFile);
    return hasFile ? { ...one, file: `file-${++this.#files}` } : one;
  }

  /** Goes on with the states in which the answers were right. */
  #goOn(next: readonly (State | undefined)[], about: unknown): void {
    const possible = new Map(next.map((one) => [JSON.stringify(one), one]));
    const before = this.#states;
    this.#states = [...possible.values()].filter((one) => one !== undefined);
    if (this.#states.length === 0) expect({ about, before }).toBe('right in one of the states');
  }

  async #run(one: Step, client: Client = this.#clients[0]): Promise<void> {
    const outcome = await perform(client, one);
    const next = this.#states.map((state) => follow(state, one, outcome, client.home));
    this.#goOn(next, { one, outcome });
  }

  async #runBoth(first: Step, second: Step, isSlow: boolean): Promise<void> {
    // Files are kept by the process that got them.
    const [left, right] = [this.#clients[0], this.#clients[second.file ? 0 : 1]];
    const wait = isSlow ? setTimeout(2) : undefined;
    const other = Promise.resolve(wait).then(() => perform(right, second));
    const [one, two] = await Promise.all([perform(left, first, wait && other), other]);
    const toFirst = (state?: State) => state && follow(state, first, one, left.home);
    const toSecond = (state?: State) => state && follow(state, second, two, right.home);
    const next = this.#states.flatMap((state) => [
      toSecond(toFirst(state)),
      toFirst(toSecond(state)),
    ]);
    this.#goOn(next, { first, one, second, two });
  }

  /** Reads all pages, while notes come and go; each that stays is seen once. */
  async #walk(shelf: number, between: readonly Step[]): Promise<void> {
    const listed = () =>
      this.#states.map(({ shelves }) => {
        const notes = shelves.find(({ id }) => id === shelf)?.notes ?? [];
        return new Set(notes.map(({ id }) => id));
      });
    const seen: number[] = [];
    let stayed = listed();
    for (let page = 0, query = ''; ; page++) {
      const { call } = this.#clients[page % 2 === 0 ? 0 : 1];
      const { status, json } = await call(`/shelves/${shelf}/notes?limit=2${query}`);
      if (status === 404) break;
      seen.push(...json.data.map(({ id }: { id: number }) => id));
      if (json.next === null) break;
      query = `&cursor=${json.next}`;
      for (const one of page < 3 ? between : [])
        await this.#run(this.#ready({ ...one, shelf } as Step), this.#clients[0]);
      stayed = listed().map((ids, at) => ids.intersection(stayed[at] ?? ids));
    }
    expect(seen).toEqual([...new Set(seen)]);
    if (!stayed.some((ids) => ids.isSubsetOf(new Set(seen)))) expect(seen).toEqual(stayed);
  }
}

const runs = isWhole ? 300 : 40;

function testHistories(open: () => Promise<readonly [string, string?]>): void {
  it('leaves what one client after the other would, whatever both do', async () => {
    const [store, other] = await open();
    const serve = (store: string) =>
      serveDocument(document, { items: 0, rateLimits: 'off', journalEntries: 0, store });
    const one = { ...(await serve(store)), home: 0 };
    const two = other === undefined ? one : { ...(await serve(other)), home: 1 };
    await fc.assert(
      fc.asyncProperty(turns, async (history) => {
        await fetch(`${one.origin}/__admin/reset`, { method: 'POST' });
        await fetch(`${one.origin}/__admin/snapshots/s`, { method: 'DELETE' });
        const follower = new Follower(one, two);
        for (const turn of history) await follower.take(turn);
        await follower.end();
      }),
      { numRuns: runs, ...(!isWhole && { seed: 20_301_205 }) },
    );
  }, 300_000);
}

describe('a mock in memory', () => testHistories(async () => ['memory:']));
describe('a mock on a file', () =>
  testHistories(async () => [`sqlite:${join(makeFolder(), 'twin.db')}`]));
describeWithRedis('two mocks on Redis', () =>
  testHistories(async () => {
    const { url } = await startRedis();
    return [url, url];
  }),
);
