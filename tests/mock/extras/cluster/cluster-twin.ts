import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kindOf = (kind: string, group = '') => ({
  'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind }],
});
const about = (kind: string, action: string, group = '') => ({
  'x-kubernetes-group-version-kind': { group, version: 'v1', kind },
  'x-kubernetes-action': action,
});

const metadata = {
  type: 'object',
  properties: {
    ...{ name: text, generateName: text, namespace: text, uid: text, resourceVersion: text },
    creationTimestamp: { type: 'string', format: 'date-time' },
    labels: { type: 'object', additionalProperties: text },
  },
};
const object = (properties: object, extension: object) => ({
  type: 'object',
  properties: { kind: text, apiVersion: text, metadata, ...properties },
  ...extension,
});
const containers = {
  type: 'array',
  items: { type: 'object', properties: { name: text, image: text } },
  'x-kubernetes-patch-merge-key': 'name',
};
const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } };
const spec = { type: 'object', properties: { ...replicas.properties, containers } };

const schemas = {
  Namespace: object({}, kindOf('Namespace')),
  Note: object({ data: { type: 'object', additionalProperties: text } }, kindOf('Note')),
  App: object({ spec, status: replicas }, kindOf('App', 'apps')),
  Scale: object({ spec: replicas, status: replicas }, kindOf('Scale', 'scaling')),
  Status: object({ status: text }, kindOf('Status')),
  ...Object.fromEntries(
    ['APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList'].map((kind) => [
      kind,
      { type: 'object', properties: {}, ...kindOf(kind) },
    ]),
  ),
};
const lists = Object.fromEntries(
  ['Namespace', 'Note', 'App'].map((kind) => [
    `${kind}List`,
    {
      ...object({ items: { type: 'array', items: ref(kind) } }, kindOf(`${kind}List`)),
      required: ['items'],
    },
  ]),
);

const parameters = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const query = Object.entries({
  ...{ labelSelector: text, fieldSelector: text, continue: text, resourceVersion: text },
  ...{
    limit: { type: 'integer' },
    watch: { type: 'boolean' },
    timeoutSeconds: { type: 'integer' },
  },
}).map(([name, schema]) => ({ name, in: 'query', schema }));
const shows = (kind: string) => ({ 200: jsonOf(ref(kind)), 401: { description: 'No.' } });
const patch = {
  content: Object.fromEntries(
    ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'].map(
      (type) => [`application/${type}`, { schema: { type: 'object' } }],
    ),
  ),
};

function collection(path: string, kind: string, group = ''): Record<string, object> {
  const scopes = path.includes('{namespace}') ? ['namespace'] : [];
  return {
    [path]: {
      parameters: parameters(...scopes),
      get: { parameters: query, responses: shows(`${kind}List`), ...about(kind, 'list', group) },
      post: {
        requestBody: jsonOf(ref(kind)),
        responses: { 201: jsonOf(ref(kind)) },
        ...about(kind, 'post', group),
      },
      delete: {
        parameters: query,
        responses: shows('Status'),
        ...about(kind, 'deletecollection', group),
      },
    },
    [`${path}/{name}`]: {
      parameters: parameters(...scopes, 'name'),
      get: { responses: shows(kind), ...about(kind, 'get', group) },
      put: {
        requestBody: jsonOf(ref(kind)),
        responses: { ...shows(kind), 201: jsonOf(ref(kind)) },
        ...about(kind, 'put', group),
      },
      patch: { requestBody: patch, responses: shows(kind), ...about(kind, 'patch', group) },
      delete: { responses: shows('Status'), ...about(kind, 'delete', group) },
    },
  };
}

const apps = '/apis/apps/v1/namespaces/{namespace}/apps';
const part = (name: string, kind: string, group: string) => ({
  [`${apps}/{name}/${name}`]: {
    parameters: parameters('namespace', 'name'),
    get: { responses: shows(kind), ...about(kind, 'get', group) },
    put: { requestBody: jsonOf(ref(kind)), responses: shows(kind), ...about(kind, 'put', group) },
    patch: { requestBody: patch, responses: shows(kind), ...about(kind, 'patch', group) },
  },
});
const tells = (kind: string) => ({ get: { responses: shows(kind) } });

/** A document with kinds of objects, their parts, and what tells of them. */
export const clusterDocument = toDocument(
  {
    '/api/': tells('APIVersions'),
    '/api/v1/': tells('APIResourceList'),
    '/apis/': tells('APIGroupList'),
    '/apis/apps/': tells('APIGroup'),
    '/apis/apps/v1/': tells('APIResourceList'),
    ...collection('/api/v1/namespaces', 'Namespace'),
    ...collection('/api/v1/namespaces/{namespace}/notes', 'Note'),
    '/api/v1/notes': {
      get: { parameters: query, responses: shows('NoteList'), ...about('Note', 'list') },
    },
    ...collection(apps, 'App', 'apps'),
    ...part('status', 'App', 'apps'),
    ...part('scale', 'Scale', 'scaling'),
  },
  { components: { schemas: { ...schemas, ...lists } } },
);

/** A twin of a document with kinds of objects, without any at first, and what sends it JSON. */
export async function serveCluster() {
  const { call, ...twin } = await serveDocument(clusterDocument, { pets: 0 });
  const send = async (method: string, path: string, body?: unknown, type = 'application/json') =>
    call(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
    });
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'lab' } });
  return { ...twin, send };
}

export const notes = '/api/v1/namespaces/lab/notes';
export const labApps = '/apis/apps/v1/namespaces/lab/apps';
