import { onTestFinished } from 'vitest';
import { createSend } from './create-send.ts';
import { bearer, openTestTwin, type TestTwin } from './twin.ts';

/** A twin with short ways to ask it, in a sandbox of a name where one is given. */
export type Replica = TestTwin & {
  /** Sends a request of the API with a key, `demo-enterprise` unless another is given. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Sends a request of the admin. */
  admin(method: string, path: string, body?: unknown, sandbox?: string): Promise<Answer>;
  /** Adds an animal, and gives its id. */
  create(name?: string, sandbox?: string): Promise<number>;
};

export type SendOptions = { key?: string; body?: unknown; sandbox?: string };

// biome-ignore lint/suspicious/noExplicitAny: what is answered is looked at field by field.
export type Answer = { status: number; headers: Headers; body: any };

type Settings = Parameters<typeof openTestTwin>[0];

/** Starts so many twins with the same settings; they end with the test. */
export async function startReplicas(count: number, settings: Settings): Promise<Replica[]> {
  const replicas = await Promise.all(Array.from({ length: count }, () => startReplica(settings)));
  return replicas;
}

/** Starts one. */
export async function startReplica(settings: Settings): Promise<Replica> {
  const twin = await openTestTwin(settings);
  onTestFinished(() => twin.close());
  const sendTo = async (url: string, given: [method: string, body: unknown, headers: object]) => {
    const [method, body, headers] = given;
    const answer = await createSend(url)(method, '', body, headers as Record<string, string>);
    return { ...answer, body: answer.json };
  };
  const inSandbox = (sandbox?: string) => sandbox !== undefined && { 'X-Sandbox': sandbox };
  const send: Replica['send'] = (method, path, { key = 'demo-enterprise', body, sandbox } = {}) =>
    sendTo(twin.api + path, [method, body, { ...bearer(key), ...inSandbox(sandbox) }]);
  return {
    ...twin,
    send,
    admin: (method, path, body, sandbox) =>
      sendTo(`${twin.origin}/__admin/${path}`, [method, body, { ...inSandbox(sandbox) }]),
    async create(name = 'Rex', sandbox) {
      const body = { name, categoryId: 1 };
      const created = await send('POST', '/pets', {
        body,
        ...(sandbox !== undefined && { sandbox }),
      });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      return created.body.id;
    },
  };
}
