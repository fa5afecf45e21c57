import { documentOf, hintsOf } from './document-of.ts';

type Hints = Readonly<Record<string, object>>;

/** Apps whose tokens send messages, with `x-twin` of operations, by method and path, and of the whole. */
export function toRelay(hints: Hints = {}, ofAll?: object): object {
  return documentOf(
    `
    GET /apps -> [App]
    POST /apps App -> 201 App
    GET /apps/{id} -> App, 404
    DELETE /apps/{id} -> 204, 404
    GET /apps/{id}/channels -> [Channel], 404
    POST /apps/{id}/channels Channel -> 201 Channel, 404
    GET /apps/{id}/messages -> { size: int, items: [Message] }, 404
    GET /messages -> [Message]
    POST /messages Message -> 201 Message
    GET /messages/{id} -> Message, 404
    PATCH /messages/{id} Message -> Message, 404
    DELETE /messages/{id} -> 204, 404
    App: { id: int, token, name, open: int }
    Channel: { id: int, name }
    Message: { id: int, appid: int, title, text, tag, state: "open" | "read" | "deleted" }
    `,
    {},
    {
      operations: hintsOf(hints),
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
