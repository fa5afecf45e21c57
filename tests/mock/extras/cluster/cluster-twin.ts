import { schemaOf } from '../../../support/document-of.ts';
import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

const text = { type: 'string' };
const kindOf = (kind: string, group = '') => ({
  'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind }],
});
const about = (kind: string, action: string, group = '') => ({
  'x-kubernetes-group-version-kind': { group, version: 'v1', kind },
  'x-kubernetes-action': action,
});

const json = (kind: string) => jsonOf(schemaOf(kind));
const texts = 'object(additionalProperties={"type":"string"})';
const metadata = schemaOf(`{
  name, generateName, namespace, uid, resourceVersion, creationTimestamp: date-time,
  labels: ${texts}
}`);
const object = (properties: object, extension: object) => ({
  type: 'object',
  properties: { kind: text, apiVersion: text, metadata, ...properties },
  ...extension,
});
const replicas = schemaOf('{ replicas: int }');
const spec = schemaOf(
  '{ replicas: int, containers: [{ name, image }](x-kubernetes-patch-merge-key="name") }',
);

const schemas = {
  Namespace: object({}, kindOf('Namespace')),
  Note: object({ data: schemaOf(texts) }, kindOf('Note')),
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
      ...object({ items: schemaOf(`[${kind}]`) }, kindOf(`${kind}List`)),
      required: ['items'],
    },
  ]),
);

const parameters = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const { properties: asked } = schemaOf(`{
  labelSelector, fieldSelector, continue, resourceVersion,
  limit: int, watch: bool, timeoutSeconds: int
}`);
const query = Object.entries(asked).map(([name, schema]) => ({ name, in: 'query', schema }));
const shows = (kind: string) => ({ 200: json(kind), 401: { description: 'No.' } });
const patch = {
  content: Object.fromEntries(
    ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'].map(
      (type) => [`application/${type}`, { schema: { type: 'object' } }],
    ),
  ),
};

function collection(path: string, kind: string, group = ''): Record<string, object> {
  const made = { 201: json(kind) };
  const ended = { responses: shows('Status') };
  const scopes = path.includes('{namespace}') ? ['namespace'] : [];
  return {
    [path]: {
      parameters: parameters(...scopes),
      get: { parameters: query, responses: shows(`${kind}List`), ...about(kind, 'list', group) },
      post: { requestBody: json(kind), responses: made, ...about(kind, 'post', group) },
      delete: { parameters: query, ...ended, ...about(kind, 'deletecollection', group) },
    },
    [`${path}/{name}`]: {
      parameters: parameters(...scopes, 'name'),
      get: { responses: shows(kind), ...about(kind, 'get', group) },
      put: {
        ...{ requestBody: json(kind), responses: { ...shows(kind), ...made } },
        ...about(kind, 'put', group),
      },
      patch: { requestBody: patch, responses: shows(kind), ...about(kind, 'patch', group) },
      delete: { ...ended, ...about(kind, 'delete', group) },
    },
  };
}

const apps = '/apis/apps/v1/namespaces/{namespace}/apps';
const part = (name: string, kind: string, group: string) => ({
  [`${apps}/{name}/${name}`]: {
    parameters: parameters('namespace', 'name'),
    get: { responses: shows(kind), ...about(kind, 'get', group) },
    put: { requestBody: json(kind), responses: shows(kind), ...about(kind, 'put', group) },
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
