import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonOf, pathParameter } from './serve-document.ts';

type CrudParts = {
  schemas?: object;
  version?: string;
  body?: object;
  patch?: object;
  /** The response of a read for 404. */
  error?: object;
};

/** The schemas of a text, an integer and an id. */
export const [text, whole, ownId] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'integer', readOnly: true },
];

/** A reference to a schema of the components. */
export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of an object. */
export function objectOf(properties: object, more: object = {}) {
  return { type: 'object', properties, ...more };
}

/** Creates a document whose items are listed, created, read, replaced, changed and deleted. */
export function crudDocument(
  item: object,
  { schemas = {}, version = '3.1.0', body = item, patch = body, error }: CrudParts = {},
) {
  const parameters = [pathParameter('id')];
  const responses = { 200: jsonOf(item), 400: { description: 'Wrong.' } };
  const sent = { requestBody: { required: true, ...jsonOf(body) } };
  const missing = { 404: error ?? { description: 'Missing.' } };
  return {
    openapi: version,
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
        post: { ...sent, responses: { 201: jsonOf(item), 400: { description: 'Wrong.' } } },
      },
      '/things/{id}': {
        get: { parameters, responses: { 200: jsonOf(item), ...missing } },
        put: { parameters, ...sent, responses },
        patch: { parameters, requestBody: jsonOf(patch), responses },
        delete: { parameters, responses: { 204: { description: 'Gone.' } } },
      },
    },
    components: { schemas },
  };
}

/** Returns what finds why a value does not fit a schema of a document. */
export function createFindMisfit(document: object) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  ajv.addSchema({ ...document }, 'document:/');
  return (schema: object, value: unknown): string | undefined => {
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document:/#/'));
    const validate = ajv.compile(whole);
    return validate(value)
      ? undefined
      : `${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`;
  };
}
