/** What a node of an OpenAPI 3 document is, by the names of its specification. */
export type PartKind =
  | 'document'
  | 'components'
  | 'path item'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'request body'
  | 'response'
  | 'media type'
  | 'encoding'
  | 'callback'
  | 'example'
  | 'link'
  | 'security scheme'
  | 'schema';

/** What a field holds: one part, a list of parts, or parts by name. */
export type FieldShape = { kind: PartKind; as: 'one' | 'list' | 'map' };

type Fields = Readonly<Record<string, FieldShape>>;

const one = (kind: PartKind): FieldShape => ({ kind, as: 'one' });
const list = (kind: PartKind): FieldShape => ({ kind, as: 'list' });
const map = (kind: PartKind): FieldShape => ({ kind, as: 'map' });
const each = (names: string, shape: FieldShape): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]));

/** The methods that a path item has fields for; `query` since OpenAPI 3.2. */
export const methods = 'get put post delete options head patch trace query'.split(' ');

const content = { content: map('media type') };
const examples = { examples: map('example') };
const ofParameter = { schema: one('schema'), ...content, ...examples };
const ofMediaType = { schema: one('schema'), itemSchema: one('schema'), ...examples };

/** The fields of each kind that hold further parts; `*` stands for all names but extensions. */
export const fieldsOf: Readonly<Record<PartKind, Fields>> = {
  document: {
    paths: map('path item'),
    webhooks: map('path item'),
    components: one('components'),
  },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('request body'),
    headers: map('header'),
    securitySchemes: map('security scheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('path item'),
    mediaTypes: map('media type'),
  },
  'path item': {
    parameters: list('parameter'),
    ...each(methods.join(' '), one('operation')),
    additionalOperations: map('operation'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('request body'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: ofParameter,
  header: ofParameter,
  'request body': content,
  response: { headers: map('header'), ...content, links: map('link') },
  'media type': { ...ofMediaType, encoding: map('encoding') },
  encoding: { headers: map('header') },
  callback: { '*': one('path item') },
  example: {},
  link: {},
  'security scheme': {},
  schema: {
    ...each('properties patternProperties dependentSchemas $defs definitions', map('schema')),
    ...each('allOf anyOf oneOf prefixItems', list('schema')),
    ...each('items contains not if then else propertyNames', one('schema')),
    ...each('additionalProperties unevaluatedProperties unevaluatedItems', one('schema')),
    contentSchema: one('schema'),
  },
};
