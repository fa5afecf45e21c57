import { jsonOf, pathParameter, toDocument } from './serve-document.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object) => ({ type: 'object', properties });

const app = object({ id: integer, token: text, name: text, open: integer });
const message = object({
  ...{ id: integer, appid: integer, title: text, text, tag: text },
  state: { type: 'string', enum: ['open', 'read', 'deleted'] },
});
const channel = object({ id: integer, name: text });
const page = object({ size: integer, items: { type: 'array', items: message } });
const parameters = [pathParameter('id')];

type Hints = Readonly<Record<string, object>>;

/** Apps whose tokens send messages, with `x-twin` of operations, by method and path, and of the whole. */
export function toRelay(hints: Hints = {}, ofAll?: object): object {
  const operation = (key: string, status: number, schema?: object, body?: object) => ({
    ...(hints[key] && { 'x-twin': hints[key] }),
    ...(body && { requestBody: jsonOf(body) }),
    responses: {
      [status]: schema ? jsonOf(schema) : { description: 'Done.' },
      ...(key.includes('{') && { 404: { description: 'No.' } }),
    },
  });
  const list = (items: object) => ({ type: 'array', items });
  return toDocument(
    {
      '/apps': {
        get: operation('GET /apps', 200, list(app)),
        post: operation('POST /apps', 201, app, app),
      },
      '/apps/{id}': {
        parameters,
        get: operation('GET /apps/{id}', 200, app),
        delete: operation('DELETE /apps/{id}', 204),
      },
      '/apps/{id}/channels': {
        parameters,
        get: operation('GET /apps/{id}/channels', 200, list(channel)),
        post: operation('POST /apps/{id}/channels', 201, channel, channel),
      },
      '/apps/{id}/messages': {
        parameters,
        get: operation('GET /apps/{id}/messages', 200, page),
      },
      '/messages': {
        get: operation('GET /messages', 200, list(message)),
        post: operation('POST /messages', 201, message, message),
      },
      '/messages/{id}': {
        parameters,
        get: operation('GET /messages/{id}', 200, message),
        patch: operation('PATCH /messages/{id}', 200, message, message),
        delete: operation('DELETE /messages/{id}', 204),
      },
    },
    {
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      ...(ofAll && { 'x-twin': ofAll }),
    },
  );
}

/** Rules of each kind that reaches beyond one item. */
export const relayRules: Hints = {
  'POST /apps': {
    values: { token: 'A{random 15}', open: 0 },
    makes: { '/apps/{id}/channels': [{ name: 'General' }] },
  },
  'DELETE /apps/{id}': { removes: { '/messages': 'appid' } },
  'POST /messages': {
    values: {
      ...{ appid: '{caller.id}', title: '{caller.name}', tag: 'm{serial - 1}', state: 'open' },
      ...{ sound: 'bell', seen: null },
    },
  },
  'GET /messages': { shows: { text: '{absent}' } },
  'GET /apps/{id}/messages': {
    filters: { appid: '{path.id}' },
    values: { size: '{count(items)}' },
  },
  'DELETE /messages/{id}': { keeps: { state: 'deleted' } },
};

export const relayRulesOfAll = {
  members: { '/messages': ['sound', 'seen'] },
  keys: { '/apps': 'token' },
  counts: [{ in: '/apps', member: 'open', of: '/messages', by: 'appid', when: { state: 'open' } }],
};
