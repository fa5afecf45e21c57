import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, expect, it } from 'vitest';
import { allExtras } from '../../../../mock/extras/all-extras.ts';
import { deliveriesOf } from '../../../../mock/extras/webhooks/deliveries.ts';
import { type Api, compile, type Operation } from '../../../../openapi/index.ts';
import { standalone } from '../../../support/standalone.ts';
import { shareTwin } from '../../../support/twin.ts';

const toDo = { 'behaviour:deliver': async () => {} };
const twin = await shareTwin({ extras: [...Object.values(allExtras), () => ({ tasks: toDo })] });
const document: Api = compile(
  JSON.parse(await (await fetch(`${twin.origin}/__admin/openapi.json`)).text()),
);
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });

const json = { 'Content-Type': 'application/json' };
beforeEach(async () => {
  // Domains that paths name.
  const send = (method: string, path: string, body: object) =>
    fetch(`${twin.origin}/__admin/${path}`, { method, body: JSON.stringify(body), headers: json });
  await send('PUT', 'project', { plan: 'pro', deploy: 'succeeded' });
  await send('POST', 'domains', { domain: 'docs.example.com' });
  await send('POST', 'redirects', { from: 'old.example.com', to: 'docs.example.com' });
  const { tasks } = twin.app.sandboxes.defaultSandbox;
  tasks.add({ name: 'behaviour:deliver', args: { order: 7 }, due: Date.UTC(2099, 0, 1) });
  deliveriesOf(twin.app.sandboxes.defaultSandbox).add({
    ...{ id: 'msg_1', event: 'order.paid', url: 'http://127.0.0.1:1/', method: 'POST' },
    ...{ headers: {}, body: '{}', at: 0, state: 'delivered', tries: [{ at: 0, status: 204 }] },
  });
  // Something for the journal to show.
  await fetch(`${twin.api}/pets`);
});

/**
 * Each operation with each example of its body, last the one that stops the twin; what stands in
 * its path are the examples of its parameters.
 */
const inOrder = document.operations.toSorted(
  (left, right) => Number(left.id === 'shutdown') - Number(right.id === 'shutdown'),
);
const examples = inOrder.flatMap((operation) =>
  Object.entries(operation.body?.examples ?? { none: undefined }).map(([name, body]) => ({
    operation,
    name,
    body,
  })),
);

it.each(examples.map((one) => ({ ...one, title: `${one.operation.id} (${one.name})` })))(
  'answers as its document says: $title',
  async ({ operation, body }) => {
    await arrange(operation);
    const response = await call(operation, body);
    const described = operation.responses.find(({ status }) => status === String(response.status));
    // A stream has no end to wait for.
    if (!described?.schema) await response.body?.cancel();
    if (!described?.schema) return expect(described, `status ${response.status}`).toBeDefined();
    const validate = ajv.compile(standalone(document, described.schema));
    validate(await response.json());
    expect(validate.errors ?? []).toEqual([]);
  },
);

/**
 * Creates the item that the path of an operation names, by the first example of a PUT, if there is
 * one.
 */
async function arrange({ method, path }: Operation): Promise<void> {
  const put = document.operations.find(
    (one) => one.method === 'PUT' && one.path.endsWith('}') && path.startsWith(one.path),
  );
  if (put && method !== 'PUT') await call(put, Object.values(put.body?.examples ?? {})[0]);
}

function call({ method, path, parameters }: Operation, body: unknown): Promise<Response> {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name) =>
    encodeURIComponent(
      String(Object.values(parameters.find((one) => one.name === name)?.examples ?? {})[0]),
    ),
  );
  return fetch(twin.origin + filled, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: json }),
  });
}
