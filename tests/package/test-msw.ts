import http from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../package/msw.ts';
import { createTwin } from '../../package/twin.ts';

type Server = {
  /** MSW 2 calls it `onUnhandledRequest`, MSW 3 `onUnhandledFrame`. */
  listen(options: { onUnhandledRequest: () => never; onUnhandledFrame: () => never }): unknown;
  close(): unknown;
  use(...handlers: unknown[]): unknown;
  resetHandlers(): unknown;
};

/** Tests the handlers with a version of MSW, over a twin in process and over one that listens. */
export function testMsw(setupServer: (...handlers: never[]) => unknown): void {
  const at = 'https://api.example.com/v1';
  const auth = { Authorization: 'Bearer demo-pro' };

  let unhandled = 0;
  const refuse = () => {
    unhandled += 1;
    throw new Error('no handler');
  };

  describe.each(['in process', 'over a socket'])('with a twin %s', async (way) => {
    const isListening = way === 'over a socket';
    const twin = await createTwin({ listen: isListening, items: 3 });
    const served = isListening ? { url: twin.url } : twin;
    const server = setupServer(...(handlers(served, { at }) as never[])) as Server;
    beforeAll(() => void server.listen({ onUnhandledRequest: refuse, onUnhandledFrame: refuse }));
    afterEach(async () => {
      server.resetHandlers();
      await twin.reset();
    });
    afterAll(async () => {
      await server.close();
      await twin.close();
    });

    it('answers below the base URL, with state', async () => {
      const made = await fetch(`${at}/pets`, {
        method: 'POST',
        headers: { ...auth, 'Content-Type': 'application/json' },
        body: '{"name":"Rex","categoryId":9007199254740993}',
      });
      expect(made.status).toBe(201);
      const listed = await fetch(`${at}/pets?limit=100`, { headers: auth });
      expect(listed.headers.get('x-ratelimit-limit')).toBe('300');
      expect(await listed.text()).toContain('9007199254740993');
    });

    it('passes errors of the twin as they are', async () => {
      const refused = await fetch(`${at}/pets`);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
      expect(await refused.json()).toMatchObject({ code: 'missing_api_key' });
      expect((await fetch(`${at}`, { headers: auth })).status).toBe(404);
      await twin.faults.add({ operation: 'listPets', status: 503 });
      expect((await fetch(`${at}/pets`, { headers: auth })).status).toBe(503);
    });

    it('has a broken connection fail as in production', async () => {
      await twin.faults.add({ fault: 'EMPTY_RESPONSE' });
      await expect(fetch(`${at}/pets`, { headers: auth })).rejects.toThrow(TypeError);
    });

    it('answers the clients of Node too', async () => {
      server.use(...handlers(served, { at: 'http://api.example.com:8080/v1/' }));
      const url = 'http://api.example.com:8080/v1/pets';
      const pets = await new Promise((resolve, reject) => {
        const request = http.get(url, { headers: auth }, (response) => {
          json(response).then(resolve, reject);
        });
        request.on('error', reject);
      });
      expect(pets).toHaveLength(3);
    });

    it('leaves to others what is not below the base URL', async () => {
      unhandled = 0;
      for (const url of ['https://api.example.com/v12/pets', 'https://api.example.com/v2'])
        await fetch(url).catch(() => undefined);
      expect(unhandled).toBe(2);
      expect(await twin.requests()).toEqual([]);
    });
  });

  it.each(['/v1', 'api.example.com', 'https://*.example.com', ''])('refuses %j', (wrong) => {
    expect(() => handlers({ url: 'http://twin.localhost' }, { at: wrong })).toThrow(
      `at must be the base URL of the API, such as https://api.example.com/v1, but is "${wrong}".`,
    );
  });
}
